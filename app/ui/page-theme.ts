/** Shows a page without a trace in the theme that was chosen on a page with one. */
export function applyPageTheme(): void {
  const chosen = localStorage.getItem('theme');
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
}
