'use strict';
/**
 * Stands in for Electron's own `default_app.asar`, which runtimes taken out of a packaged app lack: what makes
 * `electron [-r MODULE]… APP [ARGUMENT…]` load APP. Follows `default_app/main.ts` of Electron.
 */
const { app } = require('electron');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

/** @param {readonly string[]} args */
function readArguments(args) {
  const preloads = [];
  for (let i = 0; i < args.length; i += 1) {
    if (args[i] === '-r' || args[i] === '--require') preloads.push(args[(i += 1)]);
    else if (!args[i].startsWith('-')) return { preloads, target: args[i] };
  }
  return { preloads, target: null };
}

const { preloads, target } = readArguments(process.argv.slice(1));
if (target === null) {
  console.error('electron: say which app to start: electron [-r MODULE] APP');
  process.exit(1);
}

Object.defineProperty(process, 'defaultApp', { enumerable: true, value: true });
const folder = path.resolve(target);
const described = path.join(folder, 'package.json');
if (fs.existsSync(described)) {
  const { name, productName, version } = JSON.parse(fs.readFileSync(described, 'utf8'));
  app.setName(productName ?? name);
  if (version !== undefined) app.setVersion(version);
}
const entry = Module._resolveFilename(folder, null, true);
app.setAppPath(fs.existsSync(described) ? folder : path.dirname(entry));

// Last, so that a preloaded module finds the app described.
Module._preloadModules(preloads);
Module._load(entry, Module, true);
