-- What a trace says of runs beside who ran when. Many runs have the same facts, which are kept once.
INCLUDE PERFETTO MODULE etw.names;

INCLUDE PERFETTO MODULE etw.words;

-- The words that say what a number says in traces of schema 1. Layout: docs/encoding.md, "Schema 1".
CREATE PERFETTO FUNCTION _etw_run_sample_words(
  -- The number.
  sample LONG
)
RETURNS STRING AS
WITH
  -- 15 in place of a state: the run has no end. 14: the end tells a priority and no more.
  sampled AS (SELECT $sample AS sample, nullif($sample >> 20 & 15, 15) AS state, nullif($sample >> 13 & 63, 63) AS reason)
SELECT
  concat_ws(
    ' ',
    'rank=' || nullif(sample & 255, 255),
    iif(state IS NOT NULL, 'switch_out_priority=' || (sample >> 8 & 31), NULL),
    'switch_out_state=' || _etw_state_name!(state),
    iif(state IS NOT NULL, 'switch_out_wait_reason=' || _etw_wait_reason_name!(reason), NULL),
    iif(
      state IS NOT NULL AND reason IS NOT NULL,
      'switch_out_wait_mode=' || iif(sample >> 19 & 1, 'user', 'kernel'),
      NULL
    ),
    iif(state < 14, 'switch_out_qos=' || (sample >> 24 & 7), NULL),
    'ready_flags=' || (sample >> 27 & 31),
    'ready_increment=' || ((sample >> 32 & 63) - 32),
    'ready_adjust_reason=' || (sample >> 38 & 3),
    'priority_decrement=' || (sample >> 40 & 31),
    'previous_c_state=' || nullif(sample >> 45 & 255, 255)
  )
FROM sampled;

-- What is said of runs in words, each once; in schema 1 as a number, which `sample` has.
CREATE PERFETTO TABLE _etw_run_fact AS
WITH
  said AS (
    SELECT DISTINCT name AS words, NULL AS sample
    FROM slice
    WHERE track_id IN (SELECT id FROM track WHERE name GLOB 'etw.run [0-9]*')
    UNION ALL
    SELECT _etw_run_sample_words(sample), sample
    FROM (
      SELECT DISTINCT CAST(value AS INT) AS sample
      FROM __intrinsic_counter
      WHERE track_id IN (SELECT id FROM track WHERE name = 'etw.run')
    )
  )
SELECT
  words,
  sample,
  CAST(_etw_word(words, 'rank') AS INT) AS rank,
  -- Said where it is another one than `rank`.
  CASE _etw_word(words, 'rank_before')
    WHEN 'unknown' THEN NULL
    ELSE CAST(ifnull(_etw_word(words, 'rank_before'), _etw_word(words, 'rank')) AS INT)
  END AS rank_before,
  CAST(_etw_word(words, 'switch_out_priority') AS INT) AS switch_out_priority,
  _etw_word(words, 'switch_out_state') AS switch_out_state,
  _etw_word(words, 'switch_out_wait_reason') AS switch_out_wait_reason,
  _etw_word(words, 'switch_out_wait_mode') AS switch_out_wait_mode,
  CAST(_etw_word(words, 'switch_out_qos') AS INT) AS switch_out_qos,
  -- Likewise.
  CAST(ifnull(_etw_word(words, 'switch_in_qos'), _etw_word(words, 'switch_out_qos')) AS INT) AS switch_in_qos,
  CAST(ifnull(_etw_word(words, 'ready_flags'), 0) AS INT) AS ready_flags,
  CAST(ifnull(_etw_word(words, 'ready_increment'), 0) AS INT) AS ready_increment,
  CAST(ifnull(_etw_word(words, 'ready_adjust_reason'), 0) AS INT) AS ready_adjust_reason,
  CAST(ifnull(_etw_word(words, 'priority_decrement'), 0) AS INT) AS priority_decrement,
  CAST(_etw_word(words, 'previous_c_state') AS INT) AS previous_c_state
FROM said
ORDER BY words;

-- What is said of each run of a thread other than the idle thread, at its switch-in. In schema 1 a rank before the run, and a QoS level
-- at the switch-in, are samples of counters where they are others than at the end of the run.
CREATE PERFETTO TABLE _etw_run_told AS
SELECT
  s.ts, f.rank, f.rank_before, f.switch_out_priority, f.switch_out_state, f.switch_out_wait_reason,
  f.switch_out_wait_mode, f.switch_out_qos, f.switch_in_qos, f.ready_flags, f.ready_increment, f.ready_adjust_reason,
  f.priority_decrement, f.previous_c_state
FROM slice AS s
JOIN _etw_run_fact AS f ON f.words = s.name
WHERE s.track_id IN (SELECT id FROM track WHERE name GLOB 'etw.run [0-9]*')
UNION ALL
SELECT *
FROM (
  WITH
    other AS MATERIALIZED (
      SELECT t.name, c.ts, CAST(c.value AS INT) AS value
      FROM track AS t
      JOIN __intrinsic_counter AS c ON c.track_id = t.id
      WHERE t.name IN ('etw.rank_before', 'etw.qos')
    )
  SELECT
    c.ts,
    f.rank,
    iif(
      c.ts IN (SELECT o.ts FROM other AS o WHERE o.name = 'etw.rank_before'),
      (SELECT nullif(o.value, 255) FROM other AS o WHERE o.ts = c.ts AND o.name = 'etw.rank_before'),
      f.rank
    ) AS rank_before,
    f.switch_out_priority, f.switch_out_state, f.switch_out_wait_reason, f.switch_out_wait_mode, f.switch_out_qos,
    iif(
      c.ts IN (SELECT o.ts FROM other AS o WHERE o.name = 'etw.qos'),
      (SELECT o.value FROM other AS o WHERE o.ts = c.ts AND o.name = 'etw.qos'),
      f.switch_out_qos
    ) AS switch_in_qos,
    f.ready_flags, f.ready_increment, f.ready_adjust_reason, f.priority_decrement, f.previous_c_state
  FROM __intrinsic_counter AS c
  JOIN _etw_run_fact AS f ON f.sample = CAST(c.value AS INT)
  WHERE c.track_id IN (SELECT id FROM track WHERE name = 'etw.run')
)
ORDER BY 1;

DROP TABLE _etw_run_fact;
