/** A Markdown file's text. */
declare module '*.md' {
  const text: string;
  export default text;
}
