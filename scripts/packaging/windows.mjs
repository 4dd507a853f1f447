import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signWindows, windowsSigning } from './signing.mjs';
import { zipFolder } from './zip.mjs';

/**
 * Makes the packages for Windows: a .zip, and a setup program for one user, without administrator.
 * @param {{ packed: string, work: string, out: string, version: string }} from `packed` is what the packager made
 * @returns {Promise<string[]>} their paths
 */
export async function packWindows({ packed, work, out, version }) {
  const named = join(out, `outrank-${version}-windows-x64`);
  await zipFolder(packed, `${named}.zip`, { prefix: 'Outrank/' });
  const setup = `${named}-setup.exe`;
  mkdirSync(join(work, 'nsis'));
  const script = join(work, 'nsis', 'outrank.nsi');
  writeFileSync(script, setupScript(packed, setup, version));
  execFileSync('makensis', ['-V2', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  await signWindows([setup]);
  return [`${named}.zip`, setup];
}

/**
 * The setup. The folder is fixed, since taking Outrank away removes all of it, and since a copy of `outrank.exe` in the folder of
 * aliases, which is in every user's path, looks for it there. What opens `.etl` by a double click stays what it was.
 * @param {string} packed
 * @param {string} setup
 * @param {string} version
 */
function setupScript(packed, setup, version) {
  const open = `'"$INSTDIR\\Outrank.exe" "%1"'`;
  const signer = join(import.meta.dirname, 'signing.mjs');
  const signs = windowsSigning() !== undefined;
  return `Target amd64-unicode
Unicode true
Name "Outrank"
OutFile "${setup}"
RequestExecutionLevel user
SetCompressor /SOLID zlib
${signs ? `!uninstfinalize '"${process.execPath}" "${signer}" "%1"' = 0` : ''}
Icon "${packed}/outrank.ico"
VIProductVersion "${version}.0"
VIAddVersionKey ProductName "Outrank"
VIAddVersionKey FileVersion "${version}"
VIAddVersionKey FileDescription "Outrank setup"
VIAddVersionKey LegalCopyright "Apache-2.0"
!define CLASSES "Software\\Classes"
!define UNINSTALL "Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\Outrank"
!define ALIAS "$LOCALAPPDATA\\Microsoft\\WindowsApps"
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Function .onInit
  StrCpy $INSTDIR "$LOCALAPPDATA\\Programs\\Outrank"
FunctionEnd

Function un.onInit
  StrCpy $INSTDIR "$LOCALAPPDATA\\Programs\\Outrank"
FunctionEnd

Section
  RMDir /r "$INSTDIR"
  SetOutPath "$INSTDIR"
  File /r "${packed}/*"
  WriteUninstaller "$INSTDIR\\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\\Outrank.lnk" "$INSTDIR\\Outrank.exe"
  CreateDirectory "\${ALIAS}"
  CopyFiles /SILENT "$INSTDIR\\bin\\outrank.exe" "\${ALIAS}\\outrank.exe"
  WriteRegStr HKCU "\${CLASSES}\\outrank" "" "URL:Outrank"
  WriteRegStr HKCU "\${CLASSES}\\outrank" "URL Protocol" ""
  WriteRegStr HKCU "\${CLASSES}\\outrank\\shell\\open\\command" "" ${open}
  WriteRegStr HKCU "\${CLASSES}\\Outrank.Bundle" "" "Outrank bundle"
  WriteRegStr HKCU "\${CLASSES}\\Outrank.Bundle\\shell\\open\\command" "" ${open}
  WriteRegStr HKCU "\${CLASSES}\\.outrank" "" "Outrank.Bundle"
  WriteRegStr HKCU "\${CLASSES}\\Outrank.Trace" "" "Windows performance trace"
  WriteRegStr HKCU "\${CLASSES}\\Outrank.Trace\\shell\\open\\command" "" ${open}
  WriteRegStr HKCU "\${CLASSES}\\.etl\\OpenWithProgids" "Outrank.Trace" ""
  WriteRegStr HKCU "\${UNINSTALL}" "DisplayName" "Outrank"
  WriteRegStr HKCU "\${UNINSTALL}" "DisplayVersion" "${version}"
  WriteRegStr HKCU "\${UNINSTALL}" "DisplayIcon" "$INSTDIR\\Outrank.exe"
  WriteRegStr HKCU "\${UNINSTALL}" "UninstallString" '"$INSTDIR\\uninstall.exe"'
SectionEnd

Section Uninstall
  Delete "\${ALIAS}\\outrank.exe"
  Delete "$SMPROGRAMS\\Outrank.lnk"
  DeleteRegKey HKCU "\${CLASSES}\\outrank"
  DeleteRegKey HKCU "\${CLASSES}\\Outrank.Bundle"
  DeleteRegKey HKCU "\${CLASSES}\\.outrank"
  DeleteRegKey HKCU "\${CLASSES}\\Outrank.Trace"
  DeleteRegValue HKCU "\${CLASSES}\\.etl\\OpenWithProgids" "Outrank.Trace"
  DeleteRegKey HKCU "\${UNINSTALL}"
  RMDir /r "$INSTDIR"
SectionEnd
`;
}
