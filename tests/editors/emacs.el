;;; emacs.el --- what Emacs makes of hbg -*- lexical-binding: t; -*-
;; SPDX-FileCopyrightText: The hbg authors
;; SPDX-License-Identifier: Apache-2.0

;;; Code:

(defvar wrong 0)
(defvar folder default-directory)

(defun same (is expected what)
  "IS has to be EXPECTED; WHAT is told if not."
  (unless (equal is expected)
    (setq wrong (1+ wrong))
    (message "%s: %S instead of %S" what is expected)))

(defun wait (what test)
  "Until TEST answers something, which is returned."
  (let ((answer nil) (rounds 0))
    (while (and (not (setq answer (funcall test))) (< rounds 400))
      (accept-process-output nil 0.05)
      (setq rounds (1+ rounds)))
    (unless answer (error "It does not come to this: %s" what))
    answer))

(defun source (path) (expand-file-name path (getenv "HBG_SOURCE_DIR")))

(defun lines () (split-string (buffer-substring-no-properties (point-min) (point-max)) "\n"))

(load (source "editors/emacs/hbg-mode.el") nil t)
(require 'flymake)
(require 'eglot)

;; colours, and comments
(find-file (source "tests/editors/colours.hbg"))
(same major-mode 'hbg-mode "the mode of colours.hbg")
(font-lock-ensure)
(let ((faces '(("comment" font-lock-comment-face font-lock-comment-delimiter-face) ("keyword" font-lock-keyword-face)
               ("kind" font-lock-type-face) ("domain" font-lock-type-face) ("text" font-lock-string-face)
               ("unit" font-lock-constant-face) ("word" font-lock-constant-face)
               ("number" nil) ("name" nil font-lock-variable-name-face)))
      (rows 0))
  (dolist (row (with-temp-buffer (insert-file-contents (source "tests/editors/colours")) (lines)))
    (when (string-match "^\\([0-9]+\\) \\([a-z]+\\) \\(.*\\)$" row)
      (let ((line (string-to-number (match-string 1 row))) (kind (match-string 2 row)) (word (match-string 3 row)))
        (goto-char (point-min))
        (forward-line (1- line))
        (search-forward word (line-end-position))
        (setq rows (1+ rows))
        (dolist (at (list (match-beginning 0) (1- (match-end 0))))
          (unless (memq (get-text-property at 'face) (cdr (assoc kind faces)))
            (same (get-text-property at 'face) kind (format "line %d, %s" line word)))))))
  (same (> rows 60) t "the table is read"))

;; levels: a text without any gets those that `hbg fmt' writes
(let ((formatted (lines)))
  (with-temp-buffer
    (insert (mapconcat (lambda (line) (if (string-match-p "^ +R r(1" line) line (string-trim-left line))) formatted "\n"))
    (hbg-mode)
    (let ((inhibit-message t)) (indent-region (save-excursion (goto-char (point-min)) (search-forward "function") (line-beginning-position)) (point-max)))
    (same (lines) formatted "levels")))

;; the language server: what is wrong, its repair, another name, the canonical form
(find-file (expand-file-name "broken.hbg" folder))
(setcdr (assq 'hbg-mode eglot-server-programs) (list (getenv "HBG") "lsp"))
(setq eglot-sync-connect 20 eglot-confirm-server-initiated-edits nil eglot-autoshutdown nil)
(let ((inhibit-message t)) (apply #'eglot (eglot--guess-contact)))
(let ((found (wait "a diagnostic" #'flymake-diagnostics)))
  (same (length found) 1 "how much is wrong")
  (same (line-number-at-pos (flymake-diagnostic-beg (car found))) 5 "its line")
  (same (and (string-match-p "nothing here is called `lop`" (flymake-diagnostic-text (car found))) t) t "its words")
  (goto-char (flymake-diagnostic-beg (car found))))
(let* ((server (eglot-current-server))
       (actions (jsonrpc-request server :textDocument/codeAction
                                 (list :textDocument (eglot--TextDocumentIdentifier)
                                       :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                                       :context '(:diagnostics [])))))
  (eglot--apply-workspace-edit (plist-get (aref actions 0) :edit)))
(same (nth 4 (lines)) "    supply -> loop -> bulb;" "the repair")
(eglot--signal-textDocument/didChange) ; as it does half a second after a change; without a terminal no such timer runs
(goto-char (point-min))
(search-forward "R bulb")
(backward-char)
(let ((inhibit-message t)) (eglot-rename "lamp"))
(same (nth 4 (lines)) "    supply -> loop -> lamp;" "another name")
(goto-char (point-max))
(search-backward "loop ->")
(same (and (member "lamp" (let ((table (nth 2 (eglot-completion-at-point)))) (all-completions "" table))) t) t "what can stand there")
(goto-char (point-min))
(search-forward "1 loop")
(replace-match "1    loop")
(eglot-format)
(same (nth 3 (lines)) "    1 loop;" "the canonical form")
(let ((inhibit-message t)) (eglot-shutdown (eglot-current-server)))
(set-buffer-modified-p nil)
(kill-emacs (if (= wrong 0) 0 1))
;;; emacs.el ends here
