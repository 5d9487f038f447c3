;;; hbg-mode.el --- Hybrid bond graphs in hbg -*- lexical-binding: t; -*-
;; SPDX-FileCopyrightText: The hbg authors
;; SPDX-License-Identifier: Apache-2.0
;;
;; Colours, comments and indentation; `M-x eglot' starts `hbg lsp' for all else.

;;; Code:

(require 'prog-mode)

(defvar hbg-keywords
  '("model" "component" "import" "param" "input" "output" "signal" "state" "sample" "sensor" "function"
    "automaton" "experiment" "verify" "port" "when" "after" "for" "if" "else" "tolerance" "every" "off" "on" "start" "restitution" "loss"
    "effort" "flow" "real" "bool" "event" "der" "noise" "in" "out" "stop" "solver" "step" "set" "at"
    "fault" "until" "record" "plot" "range" "assume" "always" "choice" "lost" "stuck" "abrupt" "adams" "auto" "bdf" "bias"
    "drift" "erk" "euler" "heun" "incipient" "ode3" "rk4" "trapezoidal"))

(defvar hbg-elements '("Se" "Sf" "R" "C" "I" "TF" "GY" "Sw"))

(defvar hbg-domains '("electrical" "translational" "rotational" "hydraulic" "thermal" "magnetic" "any"))

(defvar hbg-constants '("true" "false" "pi" "time"))

(defvar hbg-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "w" table)
    table))

(defvar hbg-font-lock
  `(;; units first, since words in them are none of the language: after a number, or after a blank unless it is an interval
    ("\\(?:[0-9.]\\|[ \t]\\)\\(\\[[^][,\n]*\\]\\)" (1 font-lock-constant-face))
    (,(regexp-opt hbg-keywords 'words) . font-lock-keyword-face)
    (,(regexp-opt hbg-domains 'words) . font-lock-type-face)
    (,(regexp-opt hbg-constants 'words) . font-lock-constant-face)
    (,(concat "\\_<" (regexp-opt hbg-elements t) "[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)")
     (1 font-lock-type-face) (2 font-lock-variable-name-face))
    ("^[ \t]*\\([01]\\)[ \t]+\\([A-Za-z_][A-Za-z0-9_]*\\)" (1 font-lock-type-face) (2 font-lock-variable-name-face))))

(defun hbg-indent-line ()
  "Four blanks a level of braces."
  (interactive)
  (let* ((level (save-excursion (beginning-of-line) (car (syntax-ppss))))
         (closing (save-excursion (back-to-indentation) (looking-at "}")))
         (column (* 4 (max 0 (- level (if closing 1 0))))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode hbg-mode prog-mode "hbg"
  "Major mode for hybrid bond graphs."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'hbg-indent-line)
  (setq-local font-lock-defaults '(hbg-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.hbg\\'" . hbg-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(hbg-mode . ("hbg" "lsp"))))

(provide 'hbg-mode)
;;; hbg-mode.el ends here
