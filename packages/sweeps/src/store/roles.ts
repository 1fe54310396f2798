/** Least rights for those who use a store on a server. */

/**
 * SQL that the owner of a store runs once, after the first `flowgrad sweep add`, to make three roles. Users are made members of
 * them: `create user ann password '…' in role flowgrad_worker`.
 */
export const rolesSql = `-- A reader sees everything and changes nothing: sweep status, sweep fetch, report, evaluate.
create role flowgrad_reader nologin;
grant usage on schema flowgrad to flowgrad_reader;
grant select on all tables in schema flowgrad to flowgrad_reader;

-- An adder adds sweeps, cancels and retries. It writes no results.
create role flowgrad_adder nologin in role flowgrad_reader;
grant insert on flowgrad.sweeps, flowgrad.sweep_runs, flowgrad.runs, flowgrad.queues to flowgrad_adder;
grant update (queue, job) on flowgrad.sweep_runs to flowgrad_adder;
grant update (state, token, failures, losses, reason, changed) on flowgrad.runs to flowgrad_adder;

-- A worker takes runs and writes their results. It adds none.
create role flowgrad_worker nologin in role flowgrad_reader;
grant insert, update on flowgrad.attempts to flowgrad_worker;
grant update (state, token, arithmetic, failures, losses, reason, epoch, step, changed) on flowgrad.runs to flowgrad_worker;
grant update (queue, job) on flowgrad.sweep_runs to flowgrad_worker;
grant insert on flowgrad.queues to flowgrad_worker;
grant insert, update, delete on flowgrad.files, flowgrad.parts to flowgrad_worker;

-- Both put jobs into the queue and take them out; pg-boss makes no tables at their hands.
grant usage on schema flowgrad_queue to flowgrad_adder, flowgrad_worker;
grant select, insert, update, delete on flowgrad_queue.job, flowgrad_queue.job_common to flowgrad_adder, flowgrad_worker;
grant select, insert, update on flowgrad_queue.queue to flowgrad_adder, flowgrad_worker;
grant select, update on flowgrad_queue.version to flowgrad_adder, flowgrad_worker;
grant select, delete on flowgrad_queue.job_dependency to flowgrad_adder, flowgrad_worker;
grant execute on all functions in schema flowgrad_queue to flowgrad_adder, flowgrad_worker;
`;
