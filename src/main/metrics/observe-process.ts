import { Counter, Histogram, type Registry } from "prom-client";
import type { Progress } from "../../chains/follow/follower-session.ts";
import type { ObservedAnswer } from "../../http/server/server-options.ts";

/** What a process counts itself; each function is called when it happened. */
export type ProcessObservers = {
  readonly observeAnswer: (answer: ObservedAnswer) => void;
  readonly observeProgress: (progress: Progress) => void;
  readonly observeAttempt: (attempt: {
    readonly status: string;
    readonly durationMs: number;
  }) => void;
  readonly observeJob: (run: {
    readonly name: string;
    readonly durationMs: number;
    readonly failed: boolean;
  }) => void;
};

/** Registers counters and durations of this process, which start at 0. */
export function observeProcess(registry: Registry): ProcessObservers {
  const registers = [registry];
  const answers = new Histogram({
    name: "sluice_http_request_duration_seconds",
    help: "Time from a request's arrival to its answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers,
  });
  const steps = new Counter({
    name: "sluice_chain_steps_total",
    help: "Blocks appended and orphaned, by this process",
    labelNames: ["chain", "event"],
    registers,
  });
  const hits = new Counter({
    name: "sluice_chain_hits_total",
    help: "Transfers to our addresses found in blocks and the mempool, by this process",
    labelNames: ["chain"],
    registers,
  });
  const attempts = new Counter({
    name: "sluice_callback_attempts_total",
    help: "Delivery attempts of callbacks, by this process",
    labelNames: ["outcome"],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: "sluice_callback_attempt_duration_seconds",
    help: "Time from the start of a delivery to the receiver's answer, by this process",
    labelNames: ["outcome"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  });
  const jobs = new Histogram({
    name: "sluice_job_duration_seconds",
    help: "Duration of recurring jobs, by this process",
    // Prometheus itself labels what it scrapes with `job`.
    labelNames: ["task", "outcome"],
    buckets: [0.01, 0.1, 0.5, 1, 5, 30],
    registers,
  });
  return {
    observeAnswer: ({ method, route, status, seconds }) => {
      answers.observe({ method, route, status }, seconds);
    },
    observeProgress: ({ chain, event, hits: found }) => {
      if (event !== null) steps.inc({ chain, event });
      if (found > 0) hits.inc({ chain }, found);
    },
    observeAttempt: ({ status, durationMs }) => {
      attempts.inc({ outcome: status });
      attemptSeconds.observe({ outcome: status }, durationMs / 1000);
    },
    observeJob: ({ name, durationMs, failed }) => {
      jobs.observe({ task: name, outcome: failed ? "failed" : "done" }, durationMs / 1000);
    },
  };
}
