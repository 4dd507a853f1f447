import { addToLake } from './lake-add.ts';
import { askTheLake, listQuestions } from './lake-ask.ts';
import { checkTheLake, compactTheLake, forgetInLake } from './lake-care.ts';
import { queryLake } from './lake-query.ts';
import { showLake } from './lake-show.ts';
import { sparkLake } from './lake-spark.ts';
import { lakeViews } from './lake-views.ts';
import { BOUND_DETAILS } from './bounded-query.ts';
import { UsageError, type Command } from './command.ts';

/** `outrank lake`: many traces, asked as one. */
export const lake: Command = {
  name: 'lake',
  usage:
    'add LAKE TRACE… [--from FILE] [--tag NAME=VALUE]… [--full] [--jobs N] | ask LAKE QUESTION [--param NAME=VALUE]… | show LAKE [--window] [--port N] [--no-open] | questions [--format text|json] | query LAKE --sql SQL | views LAKE [--engine E] | spark LAKE --traces FOLDER | spark LAKE --question QUESTION | check LAKE [--repair | --format text|json] | compact LAKE | forget LAKE TRACE',
  summary: 'keep summaries of many traces together as Parquet, and ask them as one',
  details: [
    'LAKE is a folder, or s3://BUCKET/PREFIX with the variables that AWS tools take. docs/lake.md has its tables.',
    'add LAKE TRACE…        convert traces once, and keep what sums up of each; a trace that is there already is left as it is',
    '  --tag NAME=VALUE     what is known of the traces, such as build=1234; may be given more than once',
    '  --full               keep the full tables too, as outrank export --format parquet writes them',
    '  --from FILE          add the traces that a file names too, a path a line; - for stdin',
    '  --jobs N             add so many traces at a time, each in a process; by default what processors and memory hold',
    '  --converter-memory SIZE',
    '                       the most memory of a conversion',
    '  --max-file SIZE      the largest file that a conversion unpacks or writes',
    '  --engine-memory SIZE',
    '                       the most memory of the engine of a trace: 2GiB by default, 4GiB at most',
    '  --no-paths           do not note for yourself where the traces lie; lake show opens those that are noted',
    '  --format F           text (default), json: a line for each trace, with what became of it',
    'ask LAKE QUESTION      answer a question: one that `outrank lake questions` lists, or a *.panel.sql that says -- @over lake',
    '  --param NAME=VALUE   a parameter of the question',
    '  --format F           table (default), json (all that is drawn, with links to examples), csv, markdown, svg,',
    '                       sql (the SELECT with its parameters, for Spark and Trino)',
    'show LAKE              ask it in the browser: questions, filters, and from a row to its traces',
    '  --port N             the port to listen on; any free one by default',
    '  --window             ask it in the Outrank window instead, as long as this command runs',
    '  --no-open            do not start the browser',
    'query LAKE             run one SELECT of DuckDB on the tables; it reads alone, and nothing but the lake',
    '  --sql SQL | --file FILE',
    '  --format F           table (default), json, csv',
    '  --memory SIZE        the most memory for it (default: 1GiB); beyond that it uses the disk for temporary files',
    ...BOUND_DETAILS.map((line) => `  ${line}`),
    'questions              what can be asked; --format json: the same with all params',
    'views LAKE             print the statements that make the tables known to another engine',
    '  --engine E           duckdb (default), spark, trino',
    'spark LAKE             start a job on a Spark cluster by spark-submit, which gets what stands behind --',
    '  --traces FOLDER      add the traces of a folder or a bucket, as Hadoop names it; with --tag NAME=VALUE',
    '  --outrank COMMAND    how its executors call outrank (default: outrank)',
    '  --question QUESTION  answer a question, a JSON object for each row; with --param NAME=VALUE',
    'check LAKE             read all that is listed, and say what is missing or damaged; exit code 3 if anything is',
    '  --repair             remove what killed writers left, and take damaged traces off the list: add them again',
    '  --format F           text (default), json',
    'compact LAKE           put the traces of each day into one file a table, so that engines open few',
    'forget LAKE TRACE      remove a trace, by the beginning of its id',
    '',
    'outrank lake add /srv/lake *.etl --tag build=1234',
    'outrank lake ask /srv/lake trend-by-build --param process=app.exe',
    'outrank lake query /srv/lake --sql "SELECT rule, count(DISTINCT trace_id) FROM finding GROUP BY rule"',
  ],
  async run([action, ...args]) {
    switch (action) {
      case 'add':
        return addToLake(args);
      case 'ask':
        return askTheLake(args);
      case 'questions':
        return listQuestions(args);
      case 'show':
        return showLake(args);
      case 'views':
        return lakeViews(args);
      case 'query':
        return queryLake(args);
      case 'spark':
        return sparkLake(args);
      case 'check':
        return checkTheLake(args);
      case 'compact':
        return compactTheLake(args);
      case 'forget':
        return forgetInLake(args);
      default:
        throw new UsageError(
          'lake takes add, ask, show, questions, query, views, spark, check, compact or forget: outrank help lake',
        );
    }
  },
};
