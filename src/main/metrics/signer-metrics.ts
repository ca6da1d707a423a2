import { Gauge, Histogram, type Registry } from "prom-client";
import { type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
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
      const now = clock.now();
      // The last known expiry stays while the signer is away.
      for (const [certificate, at] of Object.entries(signer.certificateExpiries() ?? {}))
        expiry.set({ certificate }, secondsBetween(now, at));
    },
  };
}

function isRefusal(answer: unknown): boolean {
  return (
    typeof answer === "object" && answer !== null && "kind" in answer && answer.kind === "refused"
  );
}
