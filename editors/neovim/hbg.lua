-- SPDX-FileCopyrightText: The hbg authors
-- SPDX-License-Identifier: Apache-2.0
--
-- Neovim 0.7 or later: `require`d or sourced from init.lua, it starts `hbg lsp` for every .hbg file. vim.g.hbg_command names
-- another command, vim.g.hbg_include folders for imports.
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = '*.hbg',
  callback = function()
    vim.bo.filetype = 'hbg'
  end,
})

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'hbg',
  callback = function(event)
    vim.bo.commentstring = '// %s'
    vim.bo.shiftwidth = 4
    vim.bo.expandtab = true
    vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
    local command = { vim.g.hbg_command or 'hbg', 'lsp' }
    for _, folder in ipairs(vim.g.hbg_include or {}) do
      vim.list_extend(command, { '-I', folder })
    end
    local name = vim.api.nvim_buf_get_name(event.buf)
    local client = vim.lsp.start_client({ name = 'hbg', cmd = command, root_dir = vim.fn.fnamemodify(name, ':p:h') })
    if client then
      vim.lsp.buf_attach_client(event.buf, client)
    end
  end,
})
