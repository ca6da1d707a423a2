import { Gauge, Histogram, type Registry } from "prom-client";
import { type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import type { PairState } from "../../signer/protocol.ts";
import type { SignerClient } from "../../signer/signer-client.ts";

/** Longest wait for the signer while metrics are read; Prometheus itself waits ten seconds. */
const patienceMs = 2_000;

/** Metrics of the signer as this process sees it. */
export type SignerMetrics = {
  /** The same client, whose calls are counted. */
  readonly measure: (signer: SignerClient) => SignerClient;
  /** Asks the signer whether it answers; resolves in any case. Does nothing in a process without a signer. */
  readonly refresh: () => Promise<void>;
};

export function signerMetrics(registry: Registry, clock: Clock): SignerMetrics {
  const registers = [registry];
  const calls = new Histogram({
    name: "sluice_signer_call_duration_seconds",
    help: "Time from a question to the signer to its answer, by this process",
    labelNames: ["call", "outcome"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  let measured: { readonly signer: SignerClient; readonly up: Gauge } | null = null;
  const expiry = new Gauge({
    name: "sluice_signer_certificate_expires_seconds",
    help: "Until a certificate of the connection to a remote signer expires",
    labelNames: ["certificate"],
    registers,
  });

  const pair = pairMetrics(registry);

  const timed = async <Answer>(call: string, answer: () => Promise<Answer>): Promise<Answer> => {
    const startedAt = clock.now();
    const observe = (outcome: string): void => {
      calls.observe({ call, outcome }, Math.max(secondsBetween(startedAt, clock.now()), 0));
    };
    try {
      const answered = await answer();
      observe(isRefusal(answered) ? "refused" : "answered");
      return answered;
    } catch (error) {
      observe("failed");
      throw error;
    }
  };

  return {
    measure: (signer) => {
      // Only here: a process without a signer must not report it as down.
      const up =
        measured?.up ??
        new Gauge({ name: "sluice_signer_up", help: "1 where the signer answers", registers });
      measured = { signer, up };
      return {
        ...signer,
        recordIssued: (range) => timed("record", () => signer.recordIssued(range)),
        createKeys: (range) => timed("create", () => signer.createKeys(range)),
        sign: (request) => timed("sign", () => signer.sign(request)),
        mark: (mark) => timed("mark", () => signer.mark(mark)),
      };
    },
    refresh: async () => {
      if (measured === null) return;
      const { signer, up } = measured;
      const answered = new AbortController();
      const isAnswered = await Promise.race([
        signer.readMark().then(
          () => true,
          () => false,
        ),
        clock.sleep(patienceMs, answered.signal).then(() => false),
      ]);
      answered.abort();
      up.set(isAnswered ? 1 : 0);
      // A single signer has no pair; one that does not answer leaves what was known.
      if (isAnswered) {
        const askedAt = new AbortController();
        const state = await Promise.race([
          signer.pairState().catch(() => null),
          clock.sleep(patienceMs, askedAt.signal).then(() => null),
        ]);
        askedAt.abort();
        if (state !== null) pair.observe(state);
      }
      const now = clock.now();
      // The last known expiry stays while the signer is away.
      for (const [certificate, at] of Object.entries(signer.certificateExpiries() ?? {}))
        expiry.set({ certificate }, secondsBetween(now, at));
    },
  };
}

/** Metrics of a pair of signers; without one they have no values. */
function pairMetrics(registry: Registry): { readonly observe: (state: PairState) => void } {
  const registers = [registry];
  const epoch = new Gauge({
    name: "sluice_signer_pair_epoch",
    help: "The epoch of the pair of signers; it grows with each takeover",
    labelNames: [],
    registers,
  });
  const role = new Gauge({
    name: "sluice_signer_pair_role",
    help: "1 for the role that a signer of the pair has now",
    labelNames: ["signer", "role"],
    registers,
  });
  const age = new Gauge({
    name: "sluice_signer_replication_age_seconds",
    help: "Time since the standby last had everything that the active signer has",
    labelNames: ["standby"],
    registers,
  });
  epoch.remove();
  return {
    observe: (state) => {
      const standbyRole = state.isInSync ? "standby" : "out_of_sync";
      epoch.set(state.epoch);
      role.reset();
      role.set({ signer: state.name, role: "active" }, 1);
      role.set({ signer: state.standby, role: standbyRole }, 1);
      age.reset();
      age.set({ standby: state.standby }, state.ageSeconds);
    },
  };
}

function isRefusal(answer: unknown): boolean {
  return (
    typeof answer === "object" && answer !== null && "kind" in answer && answer.kind === "refused"
  );
}
