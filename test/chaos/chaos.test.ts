import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { killKinds } from "./options.ts";
import { runChaos } from "./run-chaos.ts";
import { wholeShape } from "./shape.ts";

/*
 * A whole deployment under load, with two api processes, workers, two signers and their witness, nodes and database in processes of
 * their own, killed (SIGKILL) and restarted several times, paused processes (SIGSTOP), and disturbed connections. The long version is
 * `npm run chaos -- --rounds 100`, which has three workers.
 */

const lines: string[] = [];
const shape = { ...wholeShape((line) => lines.push(line)), workers: 2 };
const name = "the service";

describe(shape.etcd === null ? `${name} with ONE SIGNER ONLY, since etcd is missing` : name, () => {
  it("loses nothing and does nothing twice when its parts are killed at random", {
    timeout: 2_700_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-chaos-"));
    const report = await runChaos(
      {
        rounds: 2,
        // As many as there is time for: the others have tests of their own, and `npm run chaos` runs all.
        shape,
        kinds: [...killKinds, "pause", "network"],
        // Litecoin runs the code of Bitcoin; `npm run chaos` runs all chains.
        chains: ["ETH", "BTC", "TRX", "XRP"],
        seed: 7,
        folder,
        healSeconds: 900,
        print: (line) => lines.push(line),
      },
      new AbortController().signal,
    );
    expect(report.faults, lines.join("\n")).toEqual([]);
    for (const { invariant, checked } of report.findings) {
      expect(checked, `nothing was checked: ${invariant}`).toBeGreaterThan(0);
    }
    await rm(folder, { recursive: true, force: true });
  });
});
