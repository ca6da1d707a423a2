import { createPersonLogin } from "../../../src/accounts/members/person-login.ts";
import type { Role } from "../../../src/accounts/principal.ts";
import { builtInCurrencies } from "../../../src/currencies/built-in-currencies.ts";
import type { Currency } from "../../../src/currencies/currency.ts";
import { createCredentialCommand } from "../../../src/main/commands/administer-credentials.ts";
import { createMemberCommand } from "../../../src/main/commands/administer-members.ts";
import type { CommandContext } from "../../../src/main/commands/command-context.ts";
import { connect } from "../../../src/platform/db/connect.ts";
import type { Database } from "../../../src/platform/db/database.ts";
import { assembledStatement } from "../../../src/platform/db/list-query.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { formatDecimal, parseDecimal } from "../../../src/platform/kernel/decimal.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { createApiCheck, createCallbackCheck } from "../../support/api-check.ts";
import { openTerminal } from "../../support/command-line.ts";
import type { TestDatabase } from "../../support/database.ts";
import { type Client, createSender, logIn, type Sender } from "./api-client.ts";
import { type ChainControl, openChainControl } from "./chain-control.ts";
import type { Deployment, Login } from "./deployment.ts";

/** A running deployment with all users logged in, on which a scenario runs. */
export type TestSite = {
  readonly deployment: Deployment;
  readonly send: Sender;
  readonly owner: Client;
  readonly other: Client;
  /** A member of the owner's account with a credential of its own, as operators add them: may pay out from all wallets. */
  readonly cashier: Member;
  /** The same, but its payouts need approval. */
  readonly clerk: Member;
  /** The login with which the member of a program's credential opens the dashboard. */
  readonly personOf: (program: Login) => Promise<Login>;
  /** The operator's terminal. */
  readonly terminal: CommandContext;
  /** The current `/openapi.json`. */
  readonly description: JsonObject;
  /** Throws when a callback's body does not match the description. */
  readonly checkCallback: (body: JsonObject) => void;
  readonly sql: TestDatabase["sql"];
  /** Reserves a chain while `work` runs: scenarios of one chain take turns. */
  readonly onChain: <Result>(
    chain: string,
    work: (control: ChainControl) => Promise<Result>,
  ) => Promise<Result>;
  readonly close: () => Promise<void>;
};

export type Member = { readonly client: Client; readonly login: Login };

export async function openTestSite(deployment: Deployment): Promise<TestSite> {
  const [api] = deployment.apis;
  const response = await fetch(`${api ?? ""}/openapi.json`);
  const description = (await response.json()) as JsonObject;
  const send = createSender(deployment.apis, createApiCheck(description));
  const owner = await logIn(send, deployment.owner);
  const other = await logIn(send, deployment.other);
  const db = connect({
    url: deployment.databaseUrl,
    clock: systemClock,
    logger: silentLogger,
    statementConnections: 1,
    transactionConnections: 1,
  });
  const sql: TestDatabase["sql"] = (text, values) =>
    db.query(assembledStatement("scenario", text), values ?? []);
  const controls = new Map(
    Object.entries(deployment.chains).map(([chain, site]) => [
      chain,
      openChainControl(chain, site, sql),
    ]),
  );
  const turns = new Map<string, Promise<unknown>>();
  const onChain: TestSite["onChain"] = (chain, work) => {
    const control = present(controls.get(chain), `the chain ${chain} runs`);
    const turn = (turns.get(chain) ?? Promise.resolve()).then(() => work(control));
    turns.set(
      chain,
      turn.catch(() => undefined),
    );
    return turn;
  };
  const accountId = await accountOf(sql, deployment.owner);
  const hire = async (role: Role): Promise<Member> => {
    const login = await addMember(deployment.configFile, accountId, role);
    return { login, client: await logIn(send, login) };
  };
  return {
    deployment,
    send,
    owner,
    other,
    description,
    checkCallback: createCallbackCheck(description),
    sql,
    onChain,
    personOf: openPersonOf(db),
    cashier: await hire("withdrawals"),
    clerk: await hire("withdrawals_with_approval"),
    terminal: openTerminal(),
    close: async () => {
      await Promise.all([...controls.values()].map((control) => control.close()));
      await db.close();
    },
  };
}

async function accountOf(sql: TestDatabase["sql"], { login }: Login): Promise<string> {
  const [row] = await sql<{ readonly id: string }>(
    `select m.account_id as id from credential c join member m on m.id = c.member_id where c.login = $1`,
    [login],
  );
  return present(row, "the owner's account").id;
}

/** Gives each credential's member a login for the dashboard when it is first requested. */
function openPersonOf(db: Database): TestSite["personOf"] {
  const known = new Map<string, Promise<Login>>();
  const make = async ({ login: program }: Login): Promise<Login> => {
    const [row] = await db.query(
      assembledStatement<{ readonly accountId: string; readonly memberId: string }>(
        "scenario",
        'select account_id as "accountId", member_id as "memberId" from credential where login = $1',
      ),
      [program],
    );
    const of = present(row, "the member of a credential");
    const own = { login: `person-${of.memberId}`, password: "a horse of their own" };
    const hashing = { memoryKib: 8, passes: 1, threads: 1 };
    await createPersonLogin(
      { db, clock: systemClock, random: systemRandom, people: { hashing } },
      { ...of, ...own },
    );
    return own;
  };
  return (program) => {
    const created = known.get(program.login) ?? make(program);
    known.set(program.login, created);
    return created;
  };
}

/** With the operator's commands, whose output is read as a person would. */
async function addMember(configFile: string, accountId: string, role: Role): Promise<Login> {
  const terminal = openTerminal();
  const printed = (title: string): string => {
    const line = lines.find((one) => one.startsWith(title));
    return present(line?.split(/\s+/)[1], title);
  };
  const member = { accountId, name: role, role, wallets: [], login: null };
  await createMemberCommand(configFile, member, terminal);
  let lines = terminal.lines();
  const memberId = printed("Member");
  const credential = { accountId, memberId, label: "", networks: [] };
  await createCredentialCommand(configFile, credential, terminal);
  lines = terminal.lines();
  return { login: printed("Login"), password: printed("Password") };
}

/** The record of a currency; deployments of these tests change only contracts. */
export function currencyOf(alpha: string): Currency {
  return present(
    builtInCurrencies.find((currency) => currency.alpha === alpha),
    alpha,
  );
}

/** An amount with all digits of its currency, as responses show it: 0.5 of BTC is `0.50000000`. */
export function inFull(amount: string, alpha: string): string {
  const { exp } = currencyOf(alpha);
  const parsed = parseDecimal(amount, exp);
  return formatDecimal(present(parsed.kind === "units" ? parsed.units : null, amount), exp);
}
