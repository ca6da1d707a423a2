import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { arrangeReceipt } from "../../../test/support/arrange-receipt.ts";
import { openTerminal } from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
} from "../../../test/support/deposit-world.ts";
import { operate } from "../../../test/support/paying-back.ts";
import { receiver } from "../../../test/support/payout-world.ts";
import { startTerminalApi, type TerminalApi } from "../../../test/support/terminal-api.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { sandboxFilePath } from "../../sandbox/sandbox-file.ts";
import {
  assignUnattributed,
  findDeposits,
  listUnattributed,
  type OperatorAccess,
  type ReturnOrder,
  returnUnattributed,
} from "./unattributed-commands.ts";

/*
 * Operators at the terminal, against a real API and a real Ethereum node to quote from. The payments are entered as blocks enter
 * them; in ether, because no chain that this site knows has shared accounts.
 */

const database = useDatabase();
const { sql } = database;
const world = depositWorld(database);
const terminal = openTerminal();
const payer = "0x52908400098527886E0F7030069857D2E4169EE7";

let site: TerminalApi;
let operator: OperatorAccess;
let credentialFile = "";

beforeAll(async () => {
  site = await startTerminalApi(database, terminal);
  await operate(database, site.member.accountId);
  operator = { kind: "sandbox", home: site.home };
  credentialFile = join(site.home, "credential.json");
  const { login, password } = site.member;
  await writeFile(credentialFile, JSON.stringify({ login, password }));
  await writeFile(join(site.home, "receiver.json"), JSON.stringify(receiver));
  // Two hundred blocks after the payments.
  await sql(
    `insert into chain_cursor (chain, network, height, hash, caught_up_at, updated_at)
     values ('ETH', 'regtest', 201, 'tip', $1::timestamptz, $1::timestamptz)`,
    [formatTimestamp(systemClock.now())],
  );
});
afterAll(() => site.stop());
beforeEach(() => terminal.lines());

/** A deposit of another account that is paid at the shared account. */
async function sharedDeposit(): Promise<string> {
  const wallet = await arrangeWallet(world);
  const { id } = await arrangeDeposit(world, wallet);
  await sql("update deposit set address = 'shared' where id = $1", [id]);
  await sql("update address set address = 'shared', tag = $1::text where deposit_id = $1::bigint", [
    id,
  ]);
  return id;
}

const stateOf = async (id: string) =>
  (await sql<{ state: string }>("select state from unattributed where id = $1", [id]))[0]?.state;

const audited = (id: string) =>
  sql<{ action: string; member: string | null }>(
    `select action, member_id::text as member from audit_entry
     where object_type = 'unattributed' and object_id = $1 order by account_id`,
    [id],
  );

const order = (id: string, more: Partial<ReturnOrder> = {}): ReturnOrder => ({
  id,
  reason: "The payer forgot the tag",
  address: null,
  tag: null,
  tagType: null,
  fee: null,
  travelRuleFile: join(site.home, "receiver.json"),
  idempotencyKey: null,
  ...more,
});

describe("sluice unattributed", () => {
  it("lists the waiting payments with amount, tag and sender", async () => {
    const id = await arrangeReceipt(world, { tag: "77" });
    await listUnattributed(operator, "waiting", terminal);
    const [head, ...rows] = terminal.lines();
    expect(head).toMatch(/^ID +RECEIVED +AMOUNT +TAG +FROM +TRANSACTION$/);
    const row = rows.find((line) => line.startsWith(`${id} `));
    expect(row).toMatch(new RegExp(` 1\\.0{18} ETH +77 +${payer} `));
    await listUnattributed(operator, "returned", terminal);
    expect(terminal.lines()).toEqual(["No unattributed payment is returned"]);
  });

  it("finds a deposit and assigns a payment to it, with an audit entry that names the member", async () => {
    const deposit = await sharedDeposit();
    const id = await arrangeReceipt(world);
    await findDeposits(operator, { id, text: deposit }, terminal);
    expect(terminal.lines()[1]).toMatch(new RegExp(`^${deposit} +${deposit} +any +0\\.0{18} `));
    await assignUnattributed(operator, { id, depositId: deposit, reason: "Asked" }, terminal);
    expect(terminal.lines()).toEqual([
      expect.stringContaining(`is assigned to deposit ${deposit} of account`),
    ]);
    expect(await stateOf(id)).toBe("assigned");
    expect((await audited(id)).map(({ action }) => action)).toEqual([
      "unattributed.assigned",
      "unattributed.assigned",
    ]);
    await expect(
      assignUnattributed(operator, { id, depositId: deposit, reason: "Again" }, terminal),
    ).rejects.toThrow("This payment has already been assigned to a deposit.");
    await findDeposits(operator, { id, text: "999999999" }, terminal);
    expect(terminal.lines()).toEqual(["No deposit to which the payment can be assigned"]);
  });

  it("quotes a return, and returns the payment once with the chosen fee", async () => {
    const id = await arrangeReceipt(world);
    await returnUnattributed(operator, order(id), terminal);
    expect(terminal.lines()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Returning 1\\.0{18} to ${payer}; network fee: low 0\\.\\d+, medium 0\\.\\d+, high `,
        ),
      ),
      expect.stringContaining("Nothing is returned yet"),
    ]);
    expect(await stateOf(id)).toBe("waiting");

    await returnUnattributed(operator, order(id, { fee: "medium" }), terminal);
    const [quoted, key, done] = terminal.lines();
    expect(quoted).toContain("network fee");
    const idempotencyKey = /--key ([0-9a-f-]{36})$/.exec(key!)![1]!;
    const payoutId = /^Payment \d+ is returned by payout (\d+)$/.exec(done!)![1]!;
    const payouts = await sql<{ address: string; units: bigint; feeUnits: bigint }>(
      'select address, units, fee_units as "feeUnits" from payout where id = $1',
      [payoutId],
    );
    expect(payouts).toEqual([
      { address: payer, units: 10n ** 18n - payouts[0]!.feeUnits, feeUnits: payouts[0]!.feeUnits },
    ]);
    expect(await stateOf(id)).toBe("returning");
    expect(await audited(id)).toEqual([
      { action: "unattributed.returned", member: site.member.memberId },
    ]);
    await expect(
      returnUnattributed(operator, order(id, { fee: "medium", idempotencyKey }), terminal),
    ).rejects.toThrow("This payment is being returned, or has been returned.");
    expect(await sql("select from payout where address = $1", [payer])).toHaveLength(1);
  });

  it("acts for a deployment with the credential of a file", async () => {
    const id = await arrangeReceipt(world);
    const access = { kind: "deployment", configFile: site.configFile, credentialFile } as const;
    await assignUnattributed(
      access,
      { id, depositId: await sharedDeposit(), reason: "Asked" },
      terminal,
    );
    expect(await stateOf(id)).toBe("assigned");
  });

  it("says what is wrong with a file, an order or the rights, and changes nothing", async () => {
    const id = await arrangeReceipt(world, {
      from: [payer, "0x0000000000000000000000000000000000012345"],
    });
    const refused = async (changes: Partial<ReturnOrder>, text: string) =>
      expect(
        returnUnattributed(operator, order(id, { fee: "low", ...changes }), terminal),
      ).rejects.toThrow(text);
    await refused({}, "the chain names no single sender: pass --address");
    await refused({ address: "0xnothing" }, "not a valid ETH address");
    await refused({ address: payer, travelRuleFile: null }, "travel_rule_info");
    await refused(
      { travelRuleFile: join(site.home, "missing.json") },
      "missing.json cannot be read",
    );
    await refused({ address: payer, idempotencyKey: "no key" }, "idempotency");
    await writeFile(join(site.home, "broken.json"), '{"password": secret');
    await refused({ travelRuleFile: join(site.home, "broken.json") }, "it is not JSON");
    const access = { kind: "deployment", configFile: site.configFile } as const;
    await expect(
      listUnattributed(
        { ...access, credentialFile: join(site.home, "receiver.json") },
        "waiting",
        terminal,
      ),
    ).rejects.toThrow("has no text members login and password");
    const clerk = JSON.parse(await readFile(sandboxFilePath(site.home), "utf8")) as {
      users: readonly object[];
    };
    await writeFile(join(site.home, "clerk.json"), JSON.stringify(clerk.users[0]));
    await expect(
      listUnattributed(
        { ...access, credentialFile: join(site.home, "clerk.json") },
        "waiting",
        terminal,
      ),
    ).rejects.toThrow("Only Owners and Admins of an account that operates this deployment");
    expect(await stateOf(id)).toBe("waiting");
  });
});
