import { BindError, EngineError } from '../../shared/engine/index.ts';
import { LakeRefusal } from '../../shared/lake/index.ts';
import { LinkError } from '../../shared/link/index.ts';
import { didYouMean } from '../../shared/model/index.ts';
import { ParamError } from '../../shared/view/index.ts';
import { OpenError } from '../host/api.ts';
import { QuestionError } from '../questions/question-error.ts';
import { UsageError, type Command } from './command.ts';
import { commands, help } from './commands.ts';
import { open } from './open.ts';
import { ownVersion } from './session.ts';
import { systemWords } from '../host/system-words.ts';
import { print, say } from './terminal.ts';
import { namesTrace, withDemo } from './traces.ts';

const names = commands.map(({ name }) => name);

/** Runs a command line; the exit code. */
async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    if (args[0] !== undefined && !names.includes(args[0])) throw noCommand(args[0]);
    await print(help(args[0]));
    return name === undefined ? 1 : 0;
  }
  if (name === '--version') {
    await print([`outrank ${ownVersion()}\n`]);
    return 0;
  }
  const command = commands.find((each) => each.name === name);
  if (!command && namesTrace(name)) return run(open, withDemo([name, ...args]));
  if (!command) throw noCommand(name);
  const wantsHelp = args.includes('--help') || args.includes('-h');
  if (!wantsHelp) return run(command, withDemo(args));
  await print(help(name));
  return 0;
}

function noCommand(name: string): UsageError {
  return new UsageError(`no command "${name}": ${didYouMean(name, names)}outrank help lists them`);
}

/** The long options that a command names in its help. */
function optionsOf({ usage, details = [] }: Command): readonly string[] {
  return [...new Set([usage, ...details].join('\n').match(/--[a-z][a-z-]*/g) ?? [])];
}

/** Runs a command; what Node says of options that cannot be meant is told in words of ours. */
async function run(command: Command, args: string[]): Promise<number> {
  try {
    return await command.run(args);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    const message = error instanceof Error ? error.message : '';
    const [, option = ''] = /'(?:-\w, )?(-{1,2}[^' ]*)/.exec(message) ?? [];
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
      throw new UsageError(
        `no option "${option}": ${didYouMean(option, optionsOf(command))}outrank help ${command.name} lists them; a file whose name begins with - is written ./-name`,
      );
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      throw new UsageError(
        message.includes('does not take')
          ? `${option} takes no value: outrank help ${command.name} says what it does`
          : `${option} needs a value: outrank help ${command.name} says which; one that begins with - is written ${option}=-…`,
      );
    throw error;
  }
}

function exitCode(error: unknown): number {
  if (error instanceof OpenError) return error.kind === 'file' || error.kind === 'not_a_trace' ? 2 : 1;
  if (error instanceof EngineError) return error.kind === 'load' ? 2 : 1;
  return error instanceof Error && error.name === 'AbortError' ? 130 : 1;
}

function isForUser(error: unknown): error is Error {
  const known = [
    ...[UsageError, QuestionError, ParamError, BindError],
    ...[OpenError, EngineError, LinkError, LakeRefusal],
  ];
  if (known.some((type) => error instanceof type)) return true;
  if (!(error instanceof Error)) return false;
  const system = 'code' in error && typeof error.code === 'string';
  return error.name === 'AbortError' || system;
}

function wording(error: Error): string {
  const place = error instanceof EngineError ? error.place : null;
  return place === null
    ? systemWords(error)
    : `SQL line ${place.line}, column ${place.column}: ${error.message}`;
}

// A reader such as `head` that has enough is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (isForUser(error)) say(wording(error));
  else say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = exitCode(error);
}
