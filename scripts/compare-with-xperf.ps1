# scripts/compare-with-xperf.ps1 -Folder FOLDER: records the running Windows with WPR for 10 s, has `xperf -a dumper` print the context
# switches, and compares their number by CPU with what Outrank reads. For Windows, as administrator; never run by the project itself.
param([Parameter(Mandatory)][string]$Folder)
$ErrorActionPreference = 'Stop'
New-Item -ItemType Directory -Force $Folder | Out-Null
$trace = Join-Path $Folder 'general.etl'
$root = Split-Path $PSScriptRoot

function Invoke-Checked([string]$Program, [string[]]$Arguments) {
  & $Program @Arguments
  if ($LASTEXITCODE -ne 0) { throw "$Program ended with $LASTEXITCODE" }
}

$xperf = (Get-Command xperf -ErrorAction SilentlyContinue).Source
if (-not $xperf) { $xperf = "${env:ProgramFiles(x86)}\Windows Kits\10\Windows Performance Toolkit\xperf.exe" }
if (-not (Test-Path $xperf)) {
  throw 'xperf is missing: the Windows Performance Toolkit of the Windows ADK has it'
}

Invoke-Checked wpr @('-start', 'GeneralProfile', '-filemode')
Start-Sleep -Seconds 10
Invoke-Checked wpr @('-stop', $trace)

# A line is "CSwitch, TimeStamp, New Process Name ( PID), New TID, …, CPU, …"; the line before the first names the columns.
$dump = Join-Path $Folder 'cswitch.txt'
Invoke-Checked $xperf @('-i', $trace, '-o', $dump, '-a', 'dumper')
$header = Select-String -Path $dump -Pattern '^\s*CSwitch,\s+TimeStamp' | Select-Object -First 1
if ($null -eq $header) { throw "$dump names no columns of CSwitch" }
$column = [array]::IndexOf(($header.Line -split ',' | ForEach-Object { $_.Trim() }), 'CPU')
if ($column -lt 0) { throw "$dump has no column CPU" }
$byXperf = @{}
foreach ($line in [System.IO.File]::ReadLines($dump)) {
  if ($line -notmatch '^\s*CSwitch,\s+\d') { continue }
  $cpu = [int]($line -split ',')[$column].Trim()
  $byXperf[$cpu] = 1 + $byXperf[$cpu]
}

$sql = 'SELECT cpu, count(*) AS n FROM etw_context_switch GROUP BY cpu'
$rows = & node (Join-Path $root 'app\cli\outrank.mjs') query $trace --sql $sql --format json | ConvertFrom-Json
if ($LASTEXITCODE -ne 0) { throw "outrank query ended with $LASTEXITCODE" }

$wrong = 0
foreach ($row in $rows) {
  $expected = [int]$byXperf[[int]$row.cpu]
  $differs = $row.n -ne $expected
  if ($differs) { $wrong++ }
  '{0} CPU {1}: xperf {2}, outrank {3}' -f ($(if ($differs) { 'WRONG' } else { 'equal' }), $row.cpu, $expected, $row.n)
}
if ($byXperf.Count -ne @($rows).Count) {
  "WRONG xperf has $($byXperf.Count) CPUs, outrank $(@($rows).Count)"
  $wrong++
}
if ($wrong -gt 0) { exit 1 }
