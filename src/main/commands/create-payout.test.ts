import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTerminal } from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { startTerminalApi, type TerminalApi } from "../../../test/support/terminal-api.ts";
import { approvePayout } from "./approve-payout.ts";
import { createPayout } from "./create-payout.ts";

/**
 * Creates and approves payouts as a person at the terminal does: against a real API with real accounts and a real
 * Ethereum node to quote from, knowing only `sandbox.json`. The scenarios show that they are then sent.
 */

const database = useDatabase();
const { sql } = database;
const terminal = openTerminal();
const payee = "0x0000000000000000000000000000000000012345";

let site: TerminalApi;
let home = "";
let wallet = "";

beforeAll(async () => {
  site = await startTerminalApi(database, terminal);
  ({ home, wallet } = site);
});
afterAll(() => site.stop());
beforeEach(() => terminal.lines());

const pay = (more: Partial<Parameters<typeof createPayout>[0]> = {}): Promise<void> =>
  createPayout(
    {
      home,
      wallet: "ETH",
      amount: "0.1",
      address: payee,
      fee: "medium",
      currency: null,
      callbackUrl: null,
      role: null,
      ...more,
    },
    terminal,
  );

const newest = async () =>
  (
    await sql<{ id: string; stage: string; fee: bigint; callback: string | null }>(
      `select id, stage, fee_units as fee, callback_url as callback from payout order by id desc limit 1`,
    )
  )[0];

describe("sluice payout and approve", () => {
  it("quotes and creates a payout, by the wallet's currency or id, and prints the next step", async () => {
    await pay();
    const created = await newest();
    const [line, next] = terminal.lines();
    expect(line).toMatch(
      new RegExp(`^Payout ${created!.id}: 0\\.1 ETH to ${payee}, fee 0\\.\\d{1,18} ETH$`),
    );
    expect(next).toContain("npx sluice mine ETH 12");
    expect(created).toMatchObject({ stage: "held", callback: null });

    const callbackUrl = "http://127.0.0.1:9000/";
    await pay({ wallet, fee: "high", callbackUrl });
    const dearer = await newest();
    expect(dearer!.callback).toBe(callbackUrl);
    expect(dearer!.fee).toBeGreaterThan(created!.fee);
    await pay({ fee: "low" });
    expect((await newest())!.fee).toBeLessThan(created!.fee);
  });

  it("makes a payout of a user with fewer rights wait until the Owner approves it", async () => {
    await pay({ role: "Payouts with approval" });
    const created = await newest();
    expect(created!.stage).toBe("waiting");
    expect(terminal.lines()[1]).toContain(`npx sluice approve ${created!.id}`);
    await approvePayout({ home, payoutId: created!.id }, terminal);
    expect(terminal.lines()).toEqual([`Payout ${created!.id} approved`]);
    expect((await newest())!.stage).toBe("held");
    await expect(approvePayout({ home, payoutId: created!.id }, terminal)).rejects.toThrow(
      "waiting for approval",
    );
  });

  it("prints the API's error text and creates nothing if the payout is rejected", async () => {
    const before = await newest();
    await expect(pay({ amount: "5" })).rejects.toThrow(/available balance is 0\.\d+ ETH/);
    await expect(pay({ address: "0xnothing" })).rejects.toThrow("not a valid ETH address");
    await expect(pay({ wallet: "BTC" })).rejects.toThrow("the demo account has no wallet BTC");
    await expect(pay({ currency: "NOPE" })).rejects.toThrow("there is no currency NOPE");
    await expect(pay({ role: "Admin" })).rejects.toThrow(
      'no user "Admin", only Payouts with approval',
    );
    await expect(pay({ home: join(home, "nothing") })).rejects.toThrow("npm start");
    await expect(approvePayout({ home, payoutId: "99999" }, terminal)).rejects.toThrow();
    await expect(approvePayout({ home, payoutId: "../wallet" }, terminal)).rejects.toThrow();
    await expect(pay({ amount: "1".repeat(40) })).rejects.toThrow(
      "amount: This has more than 36 characters.",
    );
    expect(terminal.lines()).toEqual([]);
    expect(await newest()).toEqual(before);
  });
});
