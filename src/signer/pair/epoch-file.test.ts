import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openEpochFile, readSeenEpoch } from "./epoch-file.ts";

it("remembers the highest epoch over a restart, and rejects an earlier one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sluice-epoch-"));
  const file = await openEpochFile(folder);
  await file.see({ epoch: 3, active: "a" });
  await file.see({ epoch: 3, active: "a" });
  await file.see({ epoch: 4, active: "b" });
  const again = await openEpochFile(folder);
  await expect(again.see({ epoch: 3, active: "a" })).rejects.toThrow(
    "the witness was restored from a backup",
  );
  await again.see({ epoch: 4, active: "b" });
  await expect(again.see({ epoch: 4, active: "a" })).rejects.toThrow("this signer saw b there");
  expect(await readSeenEpoch(folder)).toEqual({ epoch: 4, active: "b" });
  await rm(folder, { recursive: true });
});

it("remembers which signer was active, unless an earlier version saw a newer epoch", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sluice-epoch-"));
  expect(await readSeenEpoch(folder)).toBeNull();
  await writeFile(join(folder, "pair.epoch"), "4\n");
  expect(await readSeenEpoch(folder)).toEqual({ epoch: 4, active: null });
  await (await openEpochFile(folder)).see({ epoch: 4, active: "b" });
  expect(await readSeenEpoch(folder)).toEqual({ epoch: 4, active: "b" });
  // Ended between the two files.
  await writeFile(join(folder, "pair.active"), "5:a\n");
  expect(await readSeenEpoch(folder)).toEqual({ epoch: 5, active: "a" });
  await writeFile(join(folder, "pair.epoch"), "6\n");
  expect(await readSeenEpoch(folder)).toEqual({ epoch: 6, active: null });
  await writeFile(join(folder, "pair.active"), "five\n");
  await expect(openEpochFile(folder)).rejects.toThrow("pair.active is not an epoch");
  await rm(folder, { recursive: true });
});
