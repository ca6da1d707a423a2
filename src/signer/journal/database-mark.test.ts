import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitStep, markStepMax, parseRequest } from "../protocol.ts";
import { openMarkFile, readMarkFile } from "./database-mark.ts";
import { JournalDamaged } from "./sealed-lines.ts";

const key = new Uint8Array(32).fill(1);
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-mark-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the mark file", () => {
  it("keeps a mark over a restart and leaves no other file", async () => {
    const path = join(folder, "restart");
    const file = await openMarkFile(path, key);
    expect(file.read()).toBeNull();
    const mark = { generation: 3, numbers: { payout_id_seq: "12" } };
    expect(await file.move(mark)).toEqual({ kind: "marked" });
    await file.close();
    expect((await openMarkFile(path, key)).read()).toEqual(mark);
    expect(await readdir(folder)).toEqual(["restart"]);
  });

  it("refuses an older database, and ignores a lower number", async () => {
    const file = await openMarkFile(join(folder, "older"), key);
    await file.move({ generation: 5, numbers: { payout_id_seq: "40", deposit_id_seq: "7" } });
    expect(await file.move({ generation: 4, numbers: { payout_id_seq: "90" } })).toEqual({
      kind: "refused",
      generation: 5,
    });
    await file.move({ generation: 5, numbers: { payout_id_seq: "39", wallet_id_seq: "2" } });
    expect(file.read()).toEqual({
      generation: 5,
      numbers: { payout_id_seq: "40", deposit_id_seq: "7", wallet_id_seq: "2" },
    });
  });

  it("writes concurrent marks one after the other", async () => {
    const path = join(folder, "together");
    const file = await openMarkFile(path, key);
    const generations = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(generations.map((generation) => file.move({ generation, numbers: {} })));
    expect(await readMarkFile(path, key)).toEqual({ generation: 20, numbers: {} });
  });

  it("rejects a mark that was altered, truncated or written by another signer", async () => {
    const path = join(folder, "altered");
    await (await openMarkFile(path, key)).move({ generation: 8, numbers: { payout_id_seq: "3" } });
    const written = await readFile(path, "utf8");
    for (const text of [
      written.replace("8", "7"),
      written.slice(0, -1),
      written.slice(0, 20),
      "",
    ]) {
      await writeFile(path, text);
      await expect(openMarkFile(path, key)).rejects.toThrow(JournalDamaged);
    }
    await writeFile(path, written);
    await expect(openMarkFile(path, new Uint8Array(32))).rejects.toThrow(JournalDamaged);
    expect((await openMarkFile(path, key)).read()?.generation).toBe(8);
  });

  it("rejects a mark more than one step above the stored one, and keeps the stored one", async () => {
    const file = await openMarkFile(join(folder, "far"), key);
    const known = { generation: markStepMax, numbers: { payout_id_seq: String(markStepMax) } };
    await expect(file.move({ ...known, generation: markStepMax + 1 })).rejects.toThrow(
      "the mark's generation is more than 1000000 above the known one",
    );
    expect(await file.move(known)).toEqual({ kind: "marked" });
    const far = { generation: 2 * markStepMax, numbers: { payout_id_seq: "9223372036854775807" } };
    await expect(file.move(far)).rejects.toThrow("the mark's payout_id_seq is more than 1000000");
    expect(file.read()).toEqual(known);
    // A database that is further ahead advances the mark step by step.
    await file.move(limitStep(file.read(), far));
    expect(file.read()).toEqual({ ...far, numbers: { payout_id_seq: String(2 * markStepMax) } });
  });

  it("rejects marks that add more and more sequences", async () => {
    const file = await openMarkFile(join(folder, "names"), key);
    const names = (from: number) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`s${from + index}`, "1"]));
    await file.move({ generation: 1, numbers: names(0) });
    await expect(file.move({ generation: 1, numbers: names(60) })).rejects.toThrow(
      "the mark and the known one together name more than 100 sequences",
    );
  });

  it("parses a request for a mark strictly", () => {
    const parse = (call: object) => parseRequest(JSON.stringify({ id: 1, call }))?.call ?? null;
    const mark = {
      method: "mark",
      generation: 2,
      numbers: { payout_id_seq: "9223372036854775807" },
    };
    expect(parse(mark)).toEqual(mark);
    expect(parse({ method: "readMark" })).toEqual({ method: "readMark" });
    for (const change of [
      ...[{ generation: -1 }, { generation: 1.5 }, { generation: "2" }, { generation: 2 ** 53 }],
      ...[{ numbers: null }, { numbers: [] }, { numbers: { payout_id_seq: 1 } }],
      ...[{ numbers: { payout_id_seq: "-1" } }, { numbers: { payout_id_seq: "1e3" } }],
      ...[{ numbers: { "a b": "1" } }, { numbers: { payout_id_seq: "12345678901234567890" } }],
    ]) {
      expect(parse({ ...mark, ...change })).toBeNull();
    }
  });
});
