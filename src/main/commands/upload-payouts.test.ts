import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTerminal } from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { startTerminalApi, type TerminalApi } from "../../../test/support/terminal-api.ts";
import { uploadPayouts } from "./upload-payouts.ts";

/** Uploads files as a person at the terminal does: against a real API, knowing only `sandbox.json`. */

const database = useDatabase();
const terminal = openTerminal();
let site: TerminalApi;
let folder = "";
beforeAll(async () => {
  site = await startTerminalApi(database, terminal);
  folder = await mkdtemp(join(tmpdir(), "sluice-batch-"));
  terminal.lines();
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true });
});

async function upload(rows: string, reference: string): Promise<readonly string[]> {
  const file = join(folder, "payouts.csv");
  await writeFile(file, `address,amount,first_name,last_name,street\n${rows}`);
  const { home } = site;
  await uploadPayouts(
    { home, wallet: "ETH", file, reference, fee: "medium", currency: null, role: null },
    terminal,
  );
  return terminal.lines();
}
const row = (amount: string) =>
  `0x0000000000000000000000000000000000012345,${amount},Jo,Doe,1 Some Street\n`;

describe("sluice bulk-payout", () => {
  it("creates a file's payouts once, and prints the batch and its fees", async () => {
    const rows = row("0.01") + row("0.02");
    const [fees, batch] = await upload(rows, "January");
    expect(fees).toMatch(/^Network fees: 0\.\d+ ETH$/);
    expect(batch).toMatch(/^Batch \d+ "January": 2 of 2 payouts, in_progress$/);
    expect((await upload(rows, "January"))[1]).toBe(batch);
    expect(await database.sql("select from payout")).toHaveLength(2);
  });

  it("says which row is wrong, and creates nothing", async () => {
    await expect(upload(`${row("0.01")}nowhere,1,Jo,Doe,S\n`, "February")).rejects.toThrow(
      /Row 3, address/,
    );
    expect(await database.sql("select from payout")).toHaveLength(2);
  });
});
