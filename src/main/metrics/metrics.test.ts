import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { readMetrics } from "../../../test/support/read-metrics.ts";
import type { Executor } from "../../platform/db/database.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { SignerClient } from "../../signer/signer-client.ts";
import { createMetrics } from "./metrics.ts";

/* The names of all metrics follow the conventions of Prometheus; what the signer does is measured. */

const emptyDatabase: Executor = { query: () => Promise.resolve([]) };

const answering: Partial<SignerClient> = {
  readMark: () => Promise.resolve(null),
  pairState: () => Promise.resolve(null),
  certificateExpiries: () => null,
};

function arrange(
  signer: Partial<SignerClient> = {},
  db: Parameters<typeof createMetrics>[0] = emptyDatabase,
) {
  const clock = manualClock();
  const metrics = createMetrics(db, clock, { aheadSeconds: () => 0 });
  const lines = async (): Promise<readonly string[]> => {
    clock.advance(5);
    return (await metrics.render()).body.split("\n");
  };
  return {
    clock,
    lines,
    metrics,
    client: metrics.measureSigner({ ...answering, ...signer } as SignerClient),
  };
}

describe("the metrics", () => {
  it("name counters, and nothing else, with the suffix _total", async () => {
    const types = await readMetrics();
    expect(types.size).toBeGreaterThan(50);
    for (const [name, type] of types) {
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
      if (type === "histogram") expect(name).toMatch(/_seconds$/);
    }
  });

  it("leave the labels job and instance to Prometheus, which would rename ours", async () => {
    const leases = [{ name: "rates", expires_at: manualClock().now() }];
    const db: Executor = {
      query: ({ text }) => Promise.resolve((text.includes("job_lease") ? leases : []) as never),
    };
    const { lines, metrics } = arrange(undefined, db);
    metrics.observeJob({ name: "rates", durationMs: 5, failed: true });
    const all = await lines();
    expect(all).toContain('sluice_job_duration_seconds_count{task="rates",outcome="failed"} 1');
    expect(all).toContain('sluice_job_lease_overdue_seconds{task="rates"} 5');
    expect(all.filter((line) => /[{,](?:job|instance)=/.test(line))).toEqual([]);
  });

  it("report the pools of database connections", async () => {
    const pools = () => [{ pool: "transactions" as const, open: 5, idle: 2, waiting: 3 }];
    const lines = await arrange(undefined, { ...emptyDatabase, pools }).lines();
    expect(lines).toEqual(
      expect.arrayContaining([
        'sluice_database_connections{pool="transactions",state="used"} 3',
        'sluice_database_connections{pool="transactions",state="idle"} 2',
        'sluice_database_waiting{pool="transactions"} 3',
      ]),
    );
  });
});

describe("the signer's metrics", () => {
  it("show a pair: who is active, whether the standby may take over, and how old its copy is", async () => {
    const pair = { name: "a", epoch: 3, standby: "b", isInSync: true, ageSeconds: 0.5 };
    let state = pair;
    const { lines } = arrange({ pairState: () => Promise.resolve(state) });
    expect(await lines()).toEqual(
      expect.arrayContaining([
        "sluice_signer_pair_epoch 3",
        'sluice_signer_pair_role{signer="a",role="active"} 1',
        'sluice_signer_pair_role{signer="b",role="standby"} 1',
        'sluice_signer_replication_age_seconds{standby="b"} 0.5',
      ]),
    );
    state = { name: "b", epoch: 4, standby: "a", isInSync: false, ageSeconds: 70 };
    const after = await lines();
    expect(after).toEqual(
      expect.arrayContaining([
        "sluice_signer_pair_epoch 4",
        'sluice_signer_pair_role{signer="b",role="active"} 1',
        'sluice_signer_pair_role{signer="a",role="out_of_sync"} 1',
      ]),
    );
    expect(after.filter((line) => line.includes('signer="b",role="standby"'))).toEqual([]);
  });

  it("are absent for a single signer", async () => {
    const lines = await arrange().lines();
    expect(lines.filter((line) => /^sluice_signer_(pair|replication)/.test(line))).toEqual([]);
  });

  it("are absent in a process without a signer", async () => {
    const metrics = createMetrics(emptyDatabase, manualClock(), { aheadSeconds: () => 0 });
    expect((await metrics.render()).body).not.toContain("sluice_signer_up");
  });

  it("say whether it answers", async () => {
    let isAway = false;
    const readMark = () =>
      isAway ? Promise.reject(new Unavailable("signer", "gone")) : Promise.resolve(null);
    const { lines } = arrange({ readMark });
    expect(await lines()).toContain("sluice_signer_up 1");
    isAway = true;
    expect(await lines()).toContain("sluice_signer_up 0");
  });

  it("call a silent signer away after two seconds", async () => {
    const { clock, metrics } = arrange({ readMark: () => new Promise(() => undefined) });
    const rendered = metrics.render();
    clock.advance(2.001);
    expect((await rendered).body).toContain("\nsluice_signer_up 0\n");
  });

  it("say when the certificates of the connection expire", async () => {
    const { clock, lines } = arrange({
      certificateExpiries: () => ({
        client: addSeconds(start, 3_600),
        signer: addSeconds(start, 60),
      }),
    });
    const start = clock.now();
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'sluice_signer_certificate_expires_seconds{certificate="client"} 3595',
        'sluice_signer_certificate_expires_seconds{certificate="signer"} 55',
      ]),
    );
  });

  it("tell signatures from refusals and failures", async () => {
    const outcomes: (() => ReturnType<SignerClient["sign"]>)[] = [
      () => Promise.resolve({ kind: "signed", txid: "t", raw: "r" }),
      () => Promise.resolve({ kind: "refused", reason: "above the limit" }),
      () => Promise.reject(new Unavailable("signer", "gone")),
    ];
    const { client, lines } = arrange({
      sign: () => outcomes.shift()?.() ?? Promise.reject(new Error("asked too often")),
    });
    const request = {} as Parameters<SignerClient["sign"]>[0];
    expect(await client.sign(request)).toMatchObject({ kind: "signed" });
    expect(await client.sign(request)).toMatchObject({ kind: "refused" });
    await expect(client.sign(request)).rejects.toThrow("gone");
    const counts = (await lines()).filter((line) =>
      line.startsWith("sluice_signer_call_duration_seconds_count"),
    );
    expect(counts.map((line) => /outcome="(\w+)"\} (\d+)/.exec(line)?.slice(1))).toEqual([
      ["answered", "1"],
      ["refused", "1"],
      ["failed", "1"],
    ]);
  });
});
