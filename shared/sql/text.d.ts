/** `.sql` files are imported as their text (esbuild's `text` loader; the plugin of `scripts/sql-text.mjs` in Vite). */
declare module '*.sql' {
  const text: string;
  export default text;
}
