#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# A real client: Neovim opens a broken model, sees what is wrong, takes the repair, completes and renames.
set -euo pipefail

cat >broken.hbg <<'HBG'
model Broken {
    Se supply(12 [V]);
    R bulb(10 [Ohm]);
    1 loop;
    supply -> lop -> bulb;
}
HBG

cat >story.lua <<'LUA'
local log = assert(io.open('log', 'w'))
local function say(...) log:write(table.concat({ ... }, ' '), '\n') log:flush() end
local function wait(what, test)
  if not vim.wait(20000, test, 20) then say('no', what) vim.cmd('cquit 1') end
end
local function ask(method, params)
  local done, result
  vim.lsp.buf_request(0, method, params, function(_, r) result = r done = true end)
  wait(method, function() return done end)
  return result
end
local function at(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, 'utf-16')
end

wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
local wrong = vim.diagnostic.get(0)[1]
say('diagnostic', wrong.lnum, wrong.col, (wrong.message:gsub('\n.*', '')))

local actions = ask('textDocument/codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = { line = 4, character = 14 }, ['end'] = { line = 4, character = 14 } },
  context = { diagnostics = {} },
})
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
wait('the repair', function() return #vim.diagnostic.get(0) == 0 end)
say('repaired', vim.api.nvim_buf_get_lines(0, 4, 5, true)[1])

local labels = {}
for _, item in ipairs(ask('textDocument/completion', at(5, 14)).items) do table.insert(labels, item.label) end
table.sort(labels)
say('completion', table.concat(labels, ' '))

local rename = at(3, 6)
rename.newName = 'lamp'
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', rename), 'utf-16')
for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do say(line) end
vim.cmd('qall!')
LUA

nvim --headless --clean -c "lua vim.g.hbg_command = '$HBG'" -c "luafile $HBG_SOURCE_DIR/editors/neovim/hbg.lua" \
    -c 'edit broken.hbg' -c 'luafile story.lua' </dev/null >out 2>&1 || { cat out log >&2; exit 1; }

diff log - <<'LOG'
diagnostic 4 14 nothing here is called `lop`
repaired     supply -> loop -> bulb;
completion bulb loop supply
model Broken {
    Se supply(12 [V]);
    R lamp(10 [Ohm]);
    1 loop;
    supply -> loop -> lamp;
}
LOG
