import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkJournals, type SignedRecord } from "./check-journals.ts";
import type { Evidence } from "./finding.ts";
import { readJournals, recordJournals, type SignedLine } from "./record-journals.ts";

/* Two signers' journals of three payouts, and what may be wrong with them. */

function line(sequence: number, txid = `t${sequence}`, payout = String(sequence)): SignedLine {
  return { sequence, chain: "ETH", payoutIds: [payout], txid, seal: `seal of ${txid}` };
}

const three = [line(1), line(2), line(3)];

async function faultsIn(
  record: Partial<SignedRecord["present"]>,
  world: {
    readonly known?: readonly string[];
    readonly mined?: readonly string[];
    readonly cut?: readonly SignedLine[];
  } = {},
): Promise<readonly string[]> {
  const { known = ["t1", "t2"], mined = ["t1", "t2"], cut = [] } = world;
  const block = { burnt: new Map(mined.map((txid) => [txid, 1n])) };
  const evidence = {
    sql: () => Promise.resolve(known.map((txid) => ({ txid }))),
    chains: [{ actor: { best: { blocks: [block] } } }],
  } as unknown as Evidence;
  const present = { "signer-1": three, "signer-2": three, ...record };
  const ever = { ...present, "signer-1": [...present["signer-1"], ...cut] };
  return (await checkJournals(evidence, { present, ever })).faults;
}

describe("the journals of two signers", () => {
  it("may differ by the newest line", async () => {
    expect(await faultsIn({})).toEqual([]);
    expect(await faultsIn({ "signer-2": three.slice(0, 2) })).toEqual([]);
  });

  it("must not have signed different things", async () => {
    expect(await faultsIn({ "signer-2": [line(1), line(2), line(3, "other")] })).toEqual([
      "signer-1 signed t3 as number 3, signer-2 other",
    ]);
    expect(await faultsIn({ "signer-2": [line(1)] }, { known: ["t1"] })).toEqual([
      "signer-1 has 3 signatures, signer-2 1",
    ]);
    expect(await faultsIn({ "signer-1": [line(1), line(3)] }, { known: ["t1"] })).toContain(
      "line 2 of signer-1 has number 3",
    );
  });

  it("contain everything that left a signer", async () => {
    expect(await faultsIn({}, { known: ["t1", "t4"] })).toEqual([
      "t4 left a signer, and signer-1 does not have it",
      "t4 left a signer, and signer-2 does not have it",
    ]);
  });

  it("lack only what never left", async () => {
    expect(await faultsIn({}, { cut: [line(4)] })).toEqual([]);
    expect(await faultsIn({}, { cut: [line(4)], mined: ["t4"] })).toEqual([
      "signer-1 cut off t4, which had left it",
    ]);
  });

  it("pay no payout twice on the chain", async () => {
    const again = [...three, line(4, "t4", "2")];
    const both = { "signer-1": again, "signer-2": again };
    expect(await faultsIn(both)).toEqual([]);
    expect(await faultsIn(both, { mined: ["t1", "t2", "t4"] })).toEqual([
      "payout 2 was mined in t2 and t4",
    ]);
  });
});

describe("the record of journals", () => {
  it("keeps what was cut off later, and no incomplete line", async () => {
    const folder = await mkdtemp(join(tmpdir(), "chaos-journals-"));
    const path = join(folder, "spends.journal");
    const text = (lines: readonly SignedLine[]): string =>
      [
        '{"journal":"sluice signed spends","version":1} seal',
        ...lines.map(({ seal, ...body }) => `${JSON.stringify(body)} ${seal.replaceAll(" ", "-")}`),
      ]
        .map((each) => `${each}\n`)
        .join("");
    await writeFile(path, text([line(1), line(2)]));
    const record = recordJournals({ signer: path });
    await record.update();
    await truncate(path, text([line(1)]).length);
    await record.update();
    // Longer than it was: what was read last ends within the new line.
    await writeFile(path, `${text([line(1), line(2, "another")])}{"sequence":3,"chain"`);
    await record.update();
    expect(record.lines()["signer"]?.map(({ txid }) => txid)).toEqual(["t1", "t2", "another"]);
    await writeFile(path, text([line(1), line(2, "t"), line(3)]));
    await record.update();
    expect(
      record
        .lines()
        ["signer"]?.map(({ txid }) => txid)
        .slice(3),
    ).toEqual(["t", "t3"]);
    const { signer = [] } = await readJournals({ signer: path });
    expect(signer.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    await rm(folder, { recursive: true });
  });
});
