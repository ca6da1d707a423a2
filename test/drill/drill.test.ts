import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFetchedProgram } from "../support/find-fetched-program.ts";
import { runDrill } from "./run-drill.ts";

/* The small form of `npm run drill`: a backup under load, a restore to an empty place, and what clients and the chain say then. */

const program = findFetchedProgram("pgbackrest");
const name = "a deployment restored from its backup";
if (program === null)
  describe.skip(`${name}: NOT RUN, pgbackrest is missing; run scripts/fetch-nodes.sh "" pgbackrest`, () => {
    it("needs pgbackrest", () => undefined);
  });
else
  describe(name, () => {
    it("has lost no payment before the restored time, and pays none twice", {
      timeout: 600_000,
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
          healSeconds: 200,
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
