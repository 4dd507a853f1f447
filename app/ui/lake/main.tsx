import '@fontsource-variable/inter/wght.css';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/home.css';
import '../styles/shell.css';
import '../styles/table.css';
import '../styles/view.css';
import './lake.css';
import { render } from 'preact';
import { applyPageTheme } from '../page-theme.ts';
import { LakePage } from './lake-page.tsx';

const root = document.querySelector('#lake');
if (root === null) throw new Error('lake.html has no #lake');
applyPageTheme();
render(<LakePage />, root);
