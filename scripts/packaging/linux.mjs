import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appImageRuntime } from './electron.mjs';
import { png } from './icons.mjs';
import { root } from './root.mjs';

const DESKTOP = `[Desktop Entry]
Type=Application
Name=Outrank
Comment=Windows performance traces
Exec=outrank open %u
Icon=outrank
Terminal=false
Categories=Development;Profiling;
MimeType=x-scheme-handler/outrank;application/x-outrank;application/x-etl;
`;

const MIME = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-outrank">
    <comment>Outrank bundle</comment>
    <glob pattern="*.outrank"/>
  </mime-type>
  <mime-type type="application/x-etl">
    <comment>Windows performance trace</comment>
    <glob pattern="*.etl"/>
  </mime-type>
</mime-info>
`;

const SUMMARY = 'Analyses Windows performance traces (.etl)';
const DESCRIPTION = 'Shows who was ready, who ran, and why, without Windows.';

/** What an AppImage starts: the window for no argument, a file or a link, else a command. */
const APP_RUN = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
case \${1:-} in
  '' | outrank:* | file:*) exec "$here/outrank" open "$@" ;;
  *) exec "$here/outrank" "$@" ;;
esac
`;

/**
 * Makes the packages for Linux: .tar.gz, .deb, .rpm and .AppImage.
 * @param {{ packed: string, work: string, out: string, version: string }} from `packed` is what the packager made
 * @returns {string[]} their paths
 */
export function packLinux({ packed, work, out, version }) {
  const app = join(work, 'outrank');
  renameSync(packed, app);
  const named = join(out, `outrank-${version}-linux-x64`);
  run('tar', ['--owner=0', '--group=0', '-czf', `${named}.tar.gz`, '-C', work, 'outrank']);
  const stage = layOutSystem(app, join(work, 'stage'));
  return [
    `${named}.tar.gz`,
    deb(stage, join(out, `outrank_${version}_amd64.deb`), version),
    rpm(stage, join(work, 'rpm'), join(out, `outrank-${version}-1.x86_64.rpm`), version),
    appImage(join(stage, 'opt', 'outrank'), `${named}.AppImage`),
  ];
}

/**
 * What the packages put below `/`.
 * @param {string} app it is moved
 * @param {string} stage
 */
function layOutSystem(app, stage) {
  const share = join(stage, 'usr', 'share');
  const icons = join(share, 'icons', 'hicolor');
  const folders = [
    'applications',
    'mime/packages',
    'icons/hicolor/scalable/apps',
    'icons/hicolor/256x256/apps',
  ];
  for (const folder of folders) mkdirSync(join(share, folder), { recursive: true });
  for (const folder of ['opt', 'usr/bin']) mkdirSync(join(stage, folder), { recursive: true });
  renameSync(app, join(stage, 'opt', 'outrank'));
  symlinkSync('../../opt/outrank/outrank', join(stage, 'usr', 'bin', 'outrank'));
  writeFileSync(join(share, 'applications', 'outrank.desktop'), DESKTOP);
  writeFileSync(join(share, 'mime', 'packages', 'outrank.xml'), MIME);
  cpSync(join(root, 'app', 'ui', 'icon.svg'), join(icons, 'scalable', 'apps', 'outrank.svg'));
  writeFileSync(join(icons, '256x256', 'apps', 'outrank.png'), png(256));
  run('chmod', ['-R', 'u=rwX,go=rX', stage]);
  // Where users may not make namespaces, Chromium's sandbox needs root to start.
  chmodSync(join(stage, 'opt', 'outrank', 'chrome-sandbox'), 0o4755);
  return stage;
}

/**
 * @param {string} stage
 * @param {string} file
 * @param {string} version
 */
function deb(stage, file, version) {
  const [kib] = execFileSync('du', ['-sk', stage], { encoding: 'utf8' }).split('\t');
  mkdirSync(join(stage, 'DEBIAN'), { mode: 0o755 });
  writeFileSync(
    join(stage, 'DEBIAN', 'control'),
    `Package: outrank
Version: ${version}
Architecture: amd64
Maintainer: Outrank
Section: devel
Priority: optional
Installed-Size: ${kib}
Depends: libgtk-3-0 | libgtk-3-0t64, libnss3, libasound2 | libasound2t64, libgbm1
Description: ${SUMMARY}
 ${DESCRIPTION}
`,
    { mode: 0o644 },
  );
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', stage, file]);
  rmSync(join(stage, 'DEBIAN'), { recursive: true });
  return file;
}

/**
 * @param {string} stage
 * @param {string} work
 * @param {string} file
 * @param {string} version
 */
function rpm(stage, work, file, version) {
  mkdirSync(work);
  writeFileSync(
    join(work, 'outrank.spec'),
    `Name: outrank
Version: ${version}
Release: 1
Summary: ${SUMMARY}
License: Apache-2.0
Requires: gtk3, nss, alsa-lib, mesa-libgbm
AutoReqProv: no
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
%global _binary_payload w6.gzdio

%description
${DESCRIPTION}

%install
cp -a ${stage}/. %{buildroot}/

%files
%defattr(-,root,root)
/opt/outrank
/usr/bin/outrank
/usr/share/applications/outrank.desktop
/usr/share/mime/packages/outrank.xml
/usr/share/icons/hicolor/scalable/apps/outrank.svg
/usr/share/icons/hicolor/256x256/apps/outrank.png
`,
  );
  run('rpmbuild', ['-bb', '--quiet', '--define', `_topdir ${work}`, join(work, 'outrank.spec')]);
  cpSync(join(work, 'RPMS', 'x86_64', `outrank-${version}-1.x86_64.rpm`), file);
  return file;
}

/**
 * @param {string} app it becomes the AppImage's folder
 * @param {string} file
 */
function appImage(app, file) {
  writeFileSync(join(app, 'AppRun'), APP_RUN, { mode: 0o755 });
  writeFileSync(join(app, 'outrank.desktop'), DESKTOP);
  writeFileSync(join(app, 'outrank.png'), png(256));
  symlinkSync('outrank.png', join(app, '.DirIcon'));
  const image = `${file}.squashfs`;
  run('mksquashfs', [app, image, '-root-owned', '-noappend', '-no-progress', '-comp', 'gzip']);
  writeFileSync(file, appImageRuntime());
  run('sh', ['-c', 'cat "$1" >>"$2" && chmod 755 "$2" && rm "$1"', 'sh', image, file]);
  return file;
}

/**
 * @param {string} program
 * @param {string[]} args
 */
function run(program, args) {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
