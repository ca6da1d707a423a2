/** Operators' commands for payouts, and their effect on payouts created through HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { classicAddressToXAddress } from "xrpl";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeWallet, depositWorld, type Wallet } from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { fund, payee, payoutWorld, postPayout } from "../../../test/support/payout-world.ts";
import { isReadingStopped } from "../../payouts/controls/pause.store.ts";
import { changeAllowlist, setAllowlistMode } from "./change-allowlist.ts";
import { type PauseTarget, pausePayouts, resumePausedPayouts } from "./pause-payouts.ts";
import { setPayoutLimit } from "./set-payout-limit.ts";

const database = useDatabase();
const world = depositWorld(database);
const payouts = payoutWorld(world);
const terminal = openTerminal();
let files: DeploymentFiles;
let wallet: Wallet;
beforeAll(async () => {
  files = await writeDeployment(database.url, {
    chains: {
      ETH: { network: "regtest", chain_id: 1337, nodes: ["http://127.0.0.1:9"] },
      BTC: { network: "regtest", nodes: ["http://127.0.0.1:9"] },
      XRP: { network: "regtest", chain_id: 63456, nodes: ["http://127.0.0.1:9"] },
    },
  });
});
afterAll(() => files.remove());
beforeEach(async () => {
  terminal.lines();
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
});

/** The new payout's status, or the response's status and codes. */
async function ask(amount: string, address = payee): Promise<unknown> {
  const answer = await postPayout(payouts, wallet, { attributes: { amount, address } });
  return answer.status === 201 ? answer.one.attributes["status"] : faults(answer);
}

const [waiting, approved] = [1, 2];

/** The account's audit log of the command line. */
const audited = () =>
  database.sql<Record<string, unknown>>(
    `select action, object_type || ' ' || object_id as object, summary from audit_entry
     where account_id = $1 and member_id is null and credential_id is null order by seq`,
    [wallet.accountId],
  );

describe("payout commands", () => {
  it("pause and resume payouts: all, of a chain, of a wallet", async () => {
    const refused = ["403", "3019 /data/relationships/wallet"];
    const pause = (what: PauseTarget) => pausePayouts(files.configFile, what, "a drill", terminal);
    const resume = (what: PauseTarget) => resumePausedPayouts(files.configFile, what, terminal);
    const scopes: readonly PauseTarget[] = [
      { kind: "all" },
      { kind: "chain", chain: "ETH" },
      { kind: "wallet", walletId: wallet.walletId },
    ];
    for (const scope of scopes) {
      expect(await ask("0.1")).toBe(approved);
      await pause(scope);
      expect(await ask("0.1")).toEqual(scope.kind === "wallet" ? refused : ["403", "3019"]);
      await resume(scope);
    }
    expect(await ask("0.1")).toBe(approved);
    const none = "No chain is paused";
    expect(terminal.lines()).toEqual([
      ...["all: paused (kill switch): a drill", none],
      ...["chain/ETH: paused (kill switch): a drill", none],
      ...[`wallet/${wallet.walletId}: paused`, none],
      ...[`wallet/${wallet.walletId}: not paused`, none],
    ]);
    const object = `kill-switch wallet-${wallet.walletId}`;
    expect(await audited()).toEqual([
      { action: "kill_switch.turned_on", object, summary: { reason: "a drill" } },
      { action: "kill_switch.turned_off", object, summary: {} },
    ]);
  });

  it("pause one chain only, and reject resuming one that is not paused", async () => {
    const bitcoin: PauseTarget = { kind: "chain", chain: "BTC" };
    await pausePayouts(files.configFile, bitcoin, "one reason", terminal);
    await pausePayouts(files.configFile, bitcoin, "another", terminal);
    expect(await ask("0.1")).toBe(approved);
    await resumePausedPayouts(files.configFile, bitcoin, terminal);
    expect(terminal.lines()).toEqual([
      "chain/BTC: paused (kill switch): one reason",
      "chain/BTC: paused (kill switch): another",
      "No chain is paused",
    ]);

    await pausePayouts(files.configFile, { ...bitcoin, stopsReading: true }, "a split", terminal);
    expect(await isReadingStopped(database.db, "BTC")).toBe(true);
    expect(await isReadingStopped(database.db, "ETH")).toBe(false);
    await pausePayouts(files.configFile, bitcoin, "payouts only", terminal);
    expect(await isReadingStopped(database.db, "BTC")).toBe(false);
    await resumePausedPayouts(files.configFile, bitcoin, terminal);

    const refusals: readonly (readonly [PauseTarget, string])[] = [
      [bitcoin, "not paused there by a kill switch"],
      [{ kind: "chain", chain: "DOGE" }, "doesn't follow the chain DOGE"],
      [{ kind: "wallet", walletId: "99999999" }, "no wallet 99999999"],
      [{ kind: "wallet", walletId: "all" }, "no wallet all"],
    ];
    for (const [what, reason] of refusals)
      await expect(resumePausedPayouts(files.configFile, what, terminal)).rejects.toThrow(reason);
  });

  it("show pauses by reconciliation, which cannot be ended manually", async () => {
    await database.sql(
      "insert into payout_stop (scope, by_reconciliation, reason, created_at) values ('chain/ETH', true, '1 wei too few', '2026-01-01Z')",
    );
    const ethereum: PauseTarget = { kind: "chain", chain: "ETH" };
    await expect(resumePausedPayouts(files.configFile, ethereum, terminal)).rejects.toThrow(
      "not paused there by a kill switch",
    );
    await pausePayouts(files.configFile, { kind: "all" }, "a drill", terminal);
    await resumePausedPayouts(files.configFile, { kind: "all" }, terminal);
    expect(terminal.lines().at(-1)).toBe("chain/ETH: paused (reconciliation): 1 wei too few");
    await database.sql("delete from payout_stop");
  });

  it("limit payouts: each or per hour, for everyone, an account or a wallet", async () => {
    const limit = (
      span: "transaction" | "hour" | "day",
      amount: string | null,
      more: {
        readonly accountId?: string;
        readonly walletId?: string;
        readonly currency?: string;
      } = {},
    ) =>
      setPayoutLimit(
        files.configFile,
        { span, currency: "ETH", amount, accountId: null, walletId: null, ...more },
        terminal,
      );
    const { accountId, walletId } = wallet;
    await limit("transaction", "0.2");
    expect([await ask("0.2"), await ask("0.200000000000000001")]).toEqual([approved, waiting]);
    await limit("transaction", "0.5", { accountId });
    expect(await ask("0.5")).toBe(approved);
    await limit("transaction", "0.3", { accountId, walletId });
    expect(await ask("0.5")).toBe(waiting);
    await limit("day", "0", { walletId });
    expect(await ask("0.1")).toBe(waiting);
    await limit("day", null, { walletId });
    await limit("transaction", null, { accountId, walletId });
    await limit("transaction", null, { accountId });
    await limit("transaction", null);
    expect(await ask("0.6")).toBe(approved);
    const none = "ETH payouts no longer have a limit per transaction.";
    expect(terminal.lines()).toEqual([
      "ETH payouts above 0.2 now require approval.",
      "ETH payouts above 0.5 now require approval.",
      "ETH payouts above 0.3 now require approval.",
      "ETH payouts above 0 per day now require approval.",
      "ETH payouts no longer have a limit per day.",
      ...[none, none, none],
    ]);

    const [mine, its] = [null, `wallet ${walletId}`];
    const entry = (object: string | null, limited: string, amount: string | null) => ({
      action: amount === null ? "payout_limit.lifted" : "payout_limit.set",
      object,
      summary: { span: limited, currency: "ETH", amount },
    });
    const onRecord = [
      ...[
        entry(mine, "transaction", "0.5"),
        entry(its, "transaction", "0.3"),
        entry(its, "day", "0"),
      ],
      ...[
        entry(its, "day", null),
        entry(its, "transaction", null),
        entry(mine, "transaction", null),
      ],
    ];
    expect(await audited()).toEqual(onRecord);

    const other = await arrangeWallet(world);
    const refusals: readonly (readonly [() => Promise<void>, string])[] = [
      [() => limit("hour", "lots"), 'Invalid amount "lots"'],
      [() => limit("hour", "-1"), 'Invalid amount "-1"'],
      [() => limit("hour", "0.0000000000000000001"), "at most 18 decimals"],
      [() => limit("hour", "1", { currency: "NOPE" }), "no currency NOPE"],
      [() => limit("hour", "1", { accountId: "99999999" }), "Account 99999999 does not exist"],
      [() => limit("hour", "1", { accountId: "all" }), "all is not a valid id"],
      [() => limit("hour", "1", { walletId: "99999999" }), "no wallet 99999999"],
      [
        () => limit("hour", "1", { accountId, walletId: other.walletId }),
        `no wallet ${other.walletId}`,
      ],
    ];
    for (const [refusal, reason] of refusals) await expect(refusal()).rejects.toThrow(reason);
    expect(await database.sql("select from payout_limit")).toEqual([]);
    expect(await audited()).toEqual(onRecord);
  });

  it("restrict an account to allowlisted addresses while the mode is on", async () => {
    const { accountId } = wallet;
    const turn = (isAllowlistOnly: boolean) =>
      setAllowlistMode(files.configFile, { accountId, isAllowlistOnly }, terminal);
    const keep = (change: "add" | "remove", address: string, more: { chain?: string } = {}) =>
      changeAllowlist(
        files.configFile,
        { change, accountId, chain: "ETH", address, tag: null, label: "them", ...more },
        terminal,
      );
    await turn(true);
    expect(await ask("0.1")).toEqual(["400", "7001 /data/attributes/address"]);
    // The address matches in any spelling.
    await keep("add", payee.toLowerCase());
    expect(await ask("0.1")).toBe(approved);
    await keep("remove", payee);
    expect(await ask("0.1")).toEqual(["400", "7001 /data/attributes/address"]);
    await turn(false);
    expect(await ask("0.1")).toBe(approved);
    expect(terminal.lines()).toEqual([
      `Account ${accountId} can pay allowlisted addresses only`,
      expect.stringMatching(/^0x\w+ added to the allowlist of account \d+$/),
      expect.stringMatching(/^0x\w+ removed from the allowlist of account \d+$/),
      `Account ${accountId} can pay any address`,
    ]);
    const [object, rule] = [`account ${accountId}`, "pays_to_its_address_book_only"];
    const known = { object: null, summary: { chain: "ETH", address: payee, tag: null } };
    const onRecord = [
      { action: "account.changed", object, summary: { [rule]: true } },
      { action: "payee.added", ...known },
      { action: "payee.removed", ...known },
      { action: "account.changed", object, summary: { [rule]: false } },
    ];
    expect(await audited()).toEqual(onRecord);

    await expect(keep("remove", payee)).rejects.toThrow("no such allowlisted address");
    await expect(keep("add", "0xnothing")).rejects.toThrow(
      "0xnothing is not a valid address on ETH",
    );
    await expect(keep("add", payee, { chain: "BTC" })).rejects.toThrow(
      "not a valid address on BTC",
    );
    await expect(keep("add", payee, { chain: "DOGE" })).rejects.toThrow(
      "not a valid address on DOGE",
    );
    const unknown = { accountId: "99999999", chain: "ETH", address: payee, tag: null, label: "" };
    await expect(
      changeAllowlist(files.configFile, { ...unknown, change: "add" }, terminal),
    ).rejects.toThrow("Account 99999999 does not exist");
    await expect(
      setAllowlistMode(
        files.configFile,
        { accountId: "99999999", isAllowlistOnly: true },
        terminal,
      ),
    ).rejects.toThrow("Account 99999999 does not exist");
    expect(await audited()).toEqual(onRecord);
  });

  it("allow an address with the tag that it contains, in every spelling of both", async () => {
    const { accountId } = wallet;
    const keep = (change: "add" | "remove", address: string, tag: string | null) =>
      changeAllowlist(
        files.configFile,
        { change, accountId, chain: "XRP", address, tag, label: "them" },
        terminal,
      );
    const listed = () =>
      database.sql("select address, tag from address_book where account_id = $1", [accountId]);
    const account = "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnX";
    const xAddress = classicAddressToXAddress(account, 7, true);
    await keep("add", xAddress, null);
    expect(await listed()).toEqual([{ address: account, tag: "7" }]);
    await keep("remove", account, "007");
    expect(await listed()).toEqual([]);
    expect(terminal.lines()).toEqual([
      `${account} with tag 7 added to the allowlist of account ${accountId}`,
      `${account} with tag 7 removed from the allowlist of account ${accountId}`,
    ]);
    const summary = { chain: "XRP", address: account, tag: "7" };
    expect(await audited()).toMatchObject([{ summary }, { summary }]);
  });
});
