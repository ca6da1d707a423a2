/** What operators change from the command line, and that it takes effect for accounts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { findCommissionTerms } from "../../../test/support/find-commission-terms.ts";
import { peopleApi } from "../../../test/support/people-api.ts";
import { accountsContext, apiProcess } from "../../../test/support/test-accounts.ts";
import { createAccount } from "../../accounts/create-account.ts";
import { logIn } from "../../accounts/tokens/log-in.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { createFindAvailability } from "../../currencies/find-availability.ts";
import { meRoutes } from "../../http/accounts/me.ts";
import { sessionRoutes } from "../../http/accounts/session.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { adjustCurrency } from "./adjust-currency.ts";
import { createFirstAccount } from "./create-first-account.ts";
import type { CurrencySwitch } from "./currency-switches.ts";
import { setCommission } from "./set-commission.ts";
import { setCurrencyState } from "./set-currency-state.ts";
import { switchOperator } from "./switch-operator.ts";

const { url, db, sql } = useDatabase();
const terminal = openTerminal();
let files: DeploymentFiles;
let accountId = "";
beforeEach(() => terminal.lines());
beforeAll(async () => {
  files = await writeDeployment(url);
  accountId = (await createAccount(accountsContext(db, systemClock), { name: "Shop" })).id;
});
afterAll(() => files.remove());

/** The account's audit entries that came from the command line. */
const audited = (of: string) =>
  sql<{ action: string; summary: unknown }>(
    `select action, summary from audit_entry
     where account_id = $1 and member_id is null and credential_id is null order by seq`,
    [of],
  );
const bitcoin = builtInCurrencies.find(({ alpha }) => alpha === "BTC")!;

describe("operator commands", () => {
  it("creates an account whose Owner can log in, and prints its secrets once", async () => {
    await createFirstAccount(files.configFile, "First shop", terminal);
    const printed = Object.fromEntries(
      terminal.lines().map((line) => line.split(/\s{2,}/) as [string, string]),
    );
    expect(printed["Account"]).toMatch(/^\d+ \(First shop\)$/);
    expect(printed["Webhook secret"]).toMatch(/^whsec_/);
    const credential = { login: printed["Login"]!, password: printed["Password"]! };
    const { tokens } = await logIn(apiProcess(db, systemClock), credential, "127.0.0.1");
    expect(tokens.access).toMatch(/^ey/);
    const [member] = await sql<{ role: string; account: string }>(
      `select m.role, a.name as account from member m join account a on a.id = m.account_id
     join credential c on c.member_id = m.id where c.login = $1`,
      [credential.login],
    );
    expect(member).toEqual({ role: "owner", account: "First shop" });
    const account = printed["Account"]!.split(" ", 1)[0]!;
    expect(await audited(account)).toEqual([
      { action: "account.created", summary: { name: "First shop" } },
      {
        action: "member.created",
        summary: { name: "Owner", role: "owner", wallets: "all", login: printed["Dashboard"] },
      },
      {
        action: "credential.created",
        summary: {
          member: expect.stringMatching(/^\d+ Owner$/) as string,
          label: "",
          allowed_networks: [],
        },
      },
    ]);
    expect(printed["Initial password"]).toMatch(/^(\w{4}-){3}\w{4}$/);
    const people = peopleApi(db, systemClock, (context) => [
      ...sessionRoutes(context),
      ...meRoutes(context),
    ]);
    const person = { login: printed["Dashboard"]!, password: printed["Initial password"]! };
    const { access } = await people.signIn(person);
    expect((await people.ask("GET", "/me/", { as: access })).one.attributes).toMatchObject({
      role: "owner",
      account_name: "First shop",
      must_change_password: true,
    });
    const log = JSON.stringify(await sql("select e::text from audit_entry e"));
    for (const secret of [credential.password, person.password, printed["Webhook secret"]!])
      expect(log).not.toContain(secret);
    await expect(createFirstAccount(files.configFile, "  ", terminal)).rejects.toThrow("name");
  });

  it("refuses an older schema before writing anything", async () => {
    const [row] = await sql<{ name: string; digest: string }>(
      "delete from schema_migration where name = (select min(name) from schema_migration) returning name, digest",
    );
    await expect(createFirstAccount(files.configFile, "Shop", terminal)).rejects.toThrow(
      "sluice migrate",
    );
    await sql(
      "insert into schema_migration (name, digest, applied_at) values ($1, $2, '2026-01-01Z')",
      [row!.name, row!.digest],
    );
    expect(terminal.lines()).toEqual([]);
  });

  it("turns each switch of a currency separately and at once", async () => {
    const find = createFindAvailability({ enabled: new Set(["BTC"]), disabled: new Set() });
    const available = async () => (await find(db, accountId, [bitcoin]))[0];
    const turn = (name: CurrencySwitch, account: string | null = null) =>
      setCurrencyState(
        files.configFile,
        { switch: name, alpha: "BTC", accountId: account },
        terminal,
      );

    await turn("disable");
    expect(await available()).toBe("currencyDisabled");
    await turn("unpaid");
    await turn("enable");
    expect(await available()).toBe("tokenNotPaidFor");
    await turn("unavailable");
    expect(await available()).toBe("currencyUnavailable");
    await turn("available");
    await turn("paid");
    expect(await available()).toBe("available");
    expect(terminal.lines()).toEqual([
      "BTC: disabled",
      "BTC: disabled, not paid for",
      "BTC: not paid for",
      "BTC: unavailable, not paid for",
      "BTC: not paid for",
      "BTC: in use",
    ]);

    await turn("unavailable", accountId);
    expect(await available()).toBe("currencyUnavailable");
    await turn("available", accountId);
    expect(await available()).toBe("available");
    const printed = (isAvailable: boolean) => ({
      action: "currency.changed",
      summary: { currency: "BTC", available: isAvailable },
    });
    expect((await audited(accountId)).slice(-2)).toEqual([printed(false), printed(true)]);
    await expect(turn("disable", accountId)).rejects.toThrow("available or unavailable");
    await expect(turn("unavailable", "99999")).rejects.toThrow("Account 99999 does not exist");
    await expect(turn("unavailable", "x")).rejects.toThrow("Account x does not exist");
    const unknown = setCurrencyState(
      files.configFile,
      { switch: "disable", alpha: "NOPE", accountId: null },
      terminal,
    );
    await expect(unknown).rejects.toThrow("no currency NOPE");
  });

  it("lets an account operate the deployment from the moment it is allowed, and the first account from the start", async () => {
    const operators = () =>
      sql<{ id: string }>("select id from account where is_operator order by id");
    expect(await operators()).toEqual([{ id: accountId }]);
    const { id } = await createAccount(accountsContext(db, systemClock), { name: "Second" });
    expect(await operators()).toEqual([{ id: accountId }]);
    await switchOperator(files.configFile, { accountId: id, isOperator: true }, terminal);
    await switchOperator(files.configFile, { accountId, isOperator: false }, terminal);
    expect(await operators()).toEqual([{ id }]);
    expect(terminal.lines()).toEqual([
      `Account ${id} operates this deployment`,
      `Account ${accountId} does not operate this deployment`,
    ]);
    expect((await audited(id)).at(-1)).toEqual({
      action: "account.changed",
      summary: { operates_the_deployment: true },
    });
    for (const unknown of ["99999", "nine"])
      await expect(
        switchOperator(files.configFile, { accountId: unknown, isOperator: true }, terminal),
      ).rejects.toThrow("does not exist");
  });

  it("sets commission exactly, for everyone or for one account", async () => {
    const set = (more: Partial<Parameters<typeof setCommission>[1]>) =>
      setCommission(
        files.configFile,
        {
          direction: "deposit",
          percent: "0",
          fixed: "0",
          minimum: "0",
          currency: null,
          accountId: null,
          ...more,
        },
        terminal,
      );
    const terms = () => findCommissionTerms(db, accountId, bitcoin.id, "deposit");

    await set({ percent: "0.5" });
    expect(await terms()).toEqual({ ratePpm: 5_000, fixedUnits: 0n, minimumUnits: 0n });
    await set({
      percent: "1.0001",
      fixed: "0.00000001",
      minimum: "0.001",
      currency: "BTC",
      accountId,
    });
    expect(await terms()).toEqual({ ratePpm: 10_001, fixedUnits: 1n, minimumUnits: 100_000n });
    expect(terminal.lines()).toEqual([
      "deposits of every currency, every account: 0.5 % + 0, at least 0",
      `deposits of BTC, account ${accountId}: 1.0001 % + 0.00000001, at least 0.001`,
    ]);

    const onRecord = await audited(accountId);
    expect(onRecord.at(-1)).toEqual({
      action: "commission.changed",
      summary: {
        direction: "deposit",
        currency: "BTC",
        percent: "1.0001",
        fixed: "0.00000001",
        minimum: "0.001",
      },
    });

    const refused: readonly (readonly [Parameters<typeof set>[0], string])[] = [
      [{ percent: "0.00001" }, "at most 4 decimals"],
      [{ percent: "100.0001" }, "at most 100"],
      [{ percent: "-1" }, "Invalid percentage"],
      [{ fixed: "0.5" }, "requires a currency"],
      [{ minimum: "0.000000001", currency: "BTC" }, "at most 8 decimals"],
      [{ currency: "NOPE" }, "no currency NOPE"],
      [{ accountId: "99999" }, "Account 99999 does not exist"],
      [{ accountId: "all" }, "Account all does not exist"],
    ];
    for (const [options, reason] of refused) await expect(set(options)).rejects.toThrow(reason);
    expect(await terms()).toEqual({ ratePpm: 10_001, fixedUnits: 1n, minimumUnits: 100_000n });
    expect(await audited(accountId)).toEqual(onRecord);
  });

  it("books a difference between ledger and chain as the operator's own, once", async () => {
    await sql(
      `insert into reconciliation
       (chain, currency, height, ledger_units, chain_units, checked_at, differs_since, differs_since_height)
     values ('BTC', $1, 7, 1000, 400, '2026-01-01Z', '2026-01-01Z', 7)`,
      [bitcoin.id],
    );
    await adjustCurrency(files.configFile, "BTC", terminal);
    await adjustCurrency(files.configFile, "BTC", terminal);
    expect(terminal.lines()).toEqual([
      "0.000006 BTC taken from the ledger as the operator's gain or loss",
      "BTC: the last reconciliation found no difference",
    ]);
    expect(
      await sql("select debit, credit, units from posting where cause = 'adjustment:BTC:7'"),
    ).toEqual([{ debit: `equity/${bitcoin.id}`, credit: `chain/${bitcoin.id}`, units: 600n }]);
    await expect(adjustCurrency(files.configFile, "USD", terminal)).rejects.toThrow(
      "not on a chain",
    );
  });
});
