/**
 * A Vite plugin: `import text from './x.sql'` gives the file's text, as esbuild's `text` loader does.
 * @returns {import('vite').Plugin}
 */
export function sqlText() {
  return {
    name: 'sql-text',
    transform(code, id) {
      if (!id.endsWith('.sql')) return null;
      return { code: `export default ${JSON.stringify(code)};`, map: null };
    },
  };
}
