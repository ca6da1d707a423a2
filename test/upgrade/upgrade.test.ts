import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasRelease } from "./check-out-release.ts";
import { previousRelease } from "./previous-release.ts";
import { runUpgrade } from "./run-upgrade.ts";

/*
 * The previous release is upgraded to this one and back, process by process, under load. The long version is `npm run upgrade`.
 */

const isThere = await hasRelease(previousRelease);
const why = isThere ? "" : `: NOT RUN, the history lacks ${previousRelease}; fetch it`;

describe(`an upgrade${why}`, () => {
  it.runIf(isThere)(
    "from the previous release and back loses nothing and does nothing twice",
    {
      timeout: 2_700_000,
    },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "sluice-upgrade-"));
      const lines: string[] = [];
      const report = await runUpgrade(
        {
          from: previousRelease,
          seconds: 3,
          chains: ["ETH"],
          seed: 5,
          folder,
          healSeconds: 900,
          print: (line) => lines.push(line),
        },
        new AbortController().signal,
      );
      expect(report.faults, lines.join("\n")).toEqual([]);
      await rm(folder, { recursive: true, force: true });
    },
  );
});
