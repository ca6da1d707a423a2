import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWithProgram } from "../support/describe-with-program.ts";
import { runDrill } from "./run-drill.ts";

/* The small form of `npm run drill`: a backup under load, a restore to an empty place, and what clients and the chain say then. */

describeWithProgram("pgbackrest", "a deployment restored from its backup", (program) => {
  it("has lost no payment before the restored time, and pays none twice", {
    timeout: 2_700_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-drill-"));
    const lines: string[] = [];
    const { faults, findings } = await runDrill(
      {
        folder,
        program,
        chains: ["ETH"],
        seconds: 4,
        seed: 7,
        healSeconds: 600,
        print: (line) => lines.push(line),
      },
      new AbortController().signal,
    );
    expect(faults, lines.join("\n")).toEqual([]);
    for (const { invariant, checked } of findings)
      expect(checked, `nothing was checked: ${invariant}`).toBeGreaterThan(0);
    await rm(folder, { recursive: true, force: true });
  });
});
