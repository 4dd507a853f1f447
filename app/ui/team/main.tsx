import '@fontsource-variable/inter/wght.css';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/home.css';
import './team.css';
import { render } from 'preact';
import { applyPageTheme } from '../page-theme.ts';
import { TeamPage } from './team-page.tsx';

const root = document.querySelector('#team');
if (root === null) throw new Error('team.html has no #team');

applyPageTheme();
render(<TeamPage />, root);
