import '@fontsource-variable/inter/wght.css';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/home.css';
import './team.css';
import { render } from 'preact';
import { TeamPage } from './team-page.tsx';

const root = document.querySelector('#team');
if (root === null) throw new Error('team.html has no #team');

// As the page of a trace chooses it: see `applyTheme` in app/ui/state.ts.
const chosen = localStorage.getItem('theme');
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;

render(<TeamPage />, root);
