import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  fillPool,
} from "../../../test/support/deposit-world.ts";
import {
  accountsContext,
  arrangeMember,
  testDataKey,
  testTokenSettings,
} from "../../../test/support/test-accounts.ts";
import { rotateTokenKeys } from "../../accounts/tokens/rotate-token-keys.ts";
import { connect } from "../../platform/db/connect.ts";
import type { Statement } from "../../platform/db/database.ts";
import { createSeal } from "../../platform/kernel/seal.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { sealedColumns } from "../build/sealed-columns.ts";
import { checkDeployment } from "./check-deployment.ts";
import { resealSecrets } from "./reseal-secrets.ts";

const database = useDatabase();
const { db, sql, url } = database;
const terminal = openTerminal();
const oldSeal = createSeal(testDataKey, systemRandom);
const newKey = new Uint8Array(32).fill(8);
const newSeal = createSeal(newKey, systemRandom);
const deposits = 5;

/** Each column's values, sealed by the old key: two accounts and credentials, a token key, five deposits. */
beforeEach(async () => {
  await sql("truncate account, token_key cascade");
  const accounts = accountsContext(db, systemClock);
  for (let count = 0; count < 2; count += 1) await arrangeMember(accounts);
  await rotateTokenKeys(accounts, testTokenSettings);
  const world = depositWorld(database);
  const [account] = await sql<{ id: string }>("select id from account limit 1");
  const wallet = await arrangeWallet(world, { accountId: account!.id });
  await fillPool(world, "evm", "", deposits + 1);
  // The last deposit has nothing sealed.
  for (let count = 0; count <= deposits; count += 1) {
    const { id, paymentPageId } = await arrangeDeposit(world, wallet);
    if (count === deposits) continue;
    const sealed = oldSeal.seal(Buffer.from("Ada"), `deposit/${paymentPageId}/travel-rule`);
    await sql("update deposit set travel_rule_sealed = $2 where id = $1", [id, sealed]);
  }
  terminal.lines();
});

/** A deployment that seals with the new key; with `opensOld` it also has the old one. */
async function rotated(opensOld: boolean): Promise<DeploymentFiles & { readonly newFile: string }> {
  const files = await writeDeployment(url);
  const newFile = join(files.folder, "new.key");
  await writeFile(newFile, Buffer.from(newKey).toString("hex"), { mode: 0o600 });
  const configured = opensOld ? [newFile, files.dataKeyFile] : [newFile];
  const config = {
    base_url: "http://pay.example",
    database: { url },
    keys: { data_key_files: configured },
    signer: { folder: files.signerFolder, passphrase_file: files.passphraseFile },
    chains: {},
  };
  await writeFile(files.configFile, JSON.stringify(config), { mode: 0o600 });
  return { ...files, newFile };
}

const storedBy = async () => {
  const counts = new Map<string, number>();
  for (const column of sealedColumns) {
    const heads = await column.countByHead(db, 5);
    for (const [head, count] of heads) counts.set(head, (counts.get(head) ?? 0) + count);
  }
  return { old: counts.get(oldSeal.heads[0]) ?? 0, new: counts.get(newSeal.heads[0]) ?? 0 };
};
const secretsLine = async (files: DeploymentFiles) => {
  terminal.lines();
  await checkDeployment(files.configFile, terminal);
  const lines = terminal.lines();
  const at = lines.findIndex((line) => line.includes("stored secrets"));
  return lines.slice(at, lines[at + 1]?.includes("note:") === true ? at + 2 : at + 1);
};

describe("sluice reseal", () => {
  it("knows every sealed column of the schema", async () => {
    const columns = await sql<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name like '%sealed%' order by 1`,
    );
    expect(columns.map(({ name }) => name)).toEqual(
      sealedColumns.map(({ name }) => name).toSorted(),
    );
  });

  it("seals everything again in batches, so that it opens without the old key", async () => {
    const files = await rotated(true);
    expect(await secretsLine(files)).toEqual([
      "ok     stored secrets: 10, the configured data keys open them",
      `       note: 10 are sealed by the older ${files.dataKeyFile}: run \`sluice reseal\` before it is removed`,
    ]);
    await resealSecrets(files.configFile, terminal, 2);
    expect(terminal.lines()).toEqual([
      "account.webhook_secret_sealed: 2 sealed again",
      "account.former_webhook_secret_sealed: 0 sealed again",
      "totp.secret_sealed: 0 sealed again",
      "credential.callback_key_sealed: 2 sealed again",
      "token_key.private_jwk_sealed: 1 sealed again",
      "webhook_endpoint.secret_sealed: 0 sealed again",
      "webhook_endpoint.former_secret_sealed: 0 sealed again",
      "email.secret_sealed: 0 sealed again",
      "push_key.private_sealed: 0 sealed again",
      "push_subscription.auth_sealed: 0 sealed again",
      "deposit.travel_rule_sealed: 5 sealed again",
      "payout.travel_rule_sealed: 0 sealed again",
      "beneficiary.travel_rule_sealed: 0 sealed again",
    ]);
    expect(await storedBy()).toEqual({ old: 0, new: 10 });
    for (const column of sealedColumns) {
      const values = await column.read(db, { exceptHead: null, after: null, limit: 100 });
      for (const { key, sealed } of values)
        expect(newSeal.open(sealed, column.context(key)).length).toBeGreaterThan(0);
    }
    expect(await secretsLine(files)).toEqual([
      "ok     stored secrets: 10, the configured data keys open them",
      `       note: nothing stored is sealed by ${files.dataKeyFile} any more`,
    ]);
    await resealSecrets(files.configFile, terminal, 2);
    expect(terminal.lines().every((line) => line.endsWith(": 0 sealed again"))).toBe(true);
    const without = await rotated(false);
    expect(await secretsLine(without)).toEqual([
      "ok     stored secrets: 10, the configured data keys open them",
    ]);
    await Promise.all([files.remove(), without.remove()]);
  });

  it("continues after an interruption", async () => {
    const credentials = sealedColumns.find(({ name }) => name === "credential.callback_key_sealed");
    const [first] = await credentials!.read(db, { exceptHead: null, after: null, limit: 1 });
    const context = credentials!.context(first!.key);
    const sealed = newSeal.seal(oldSeal.open(first!.sealed, context), context);
    const change = { key: first!.key, former: first!.sealed, sealed };
    expect(await credentials!.replace(db, [change])).toBe(1);
    // Values that changed since are left alone.
    expect(await credentials!.replace(db, [change])).toBe(0);
    const files = await rotated(true);
    await resealSecrets(files.configFile, terminal);
    expect(terminal.lines()).toContain("credential.callback_key_sealed: 1 sealed again");
    expect(await storedBy()).toEqual({ old: 0, new: 10 });
    await files.remove();
  });

  it("leaves values that no key opens, names them, and seals everything else again", async () => {
    const files = await rotated(true);
    const [altered] = await sql<{ id: string }>(
      `update credential set callback_key_sealed = set_byte(callback_key_sealed, 30,
       get_byte(callback_key_sealed, 30) # 1)
     where id = (select min(id) from credential) returning id`,
    );
    expect((await secretsLine(files))[0]).toBe(
      `WRONG  stored secrets: the value of credential.callback_key_sealed ${altered!.id} was altered`,
    );
    await expect(resealSecrets(files.configFile, terminal, 1)).rejects.toThrow(
      `1 of credential.callback_key_sealed (${altered!.id})`,
    );
    expect(await storedBy()).toEqual({ old: 1, new: 9 });
    await files.remove();
  });

  it("changes nothing if a data key was removed too early, which check reports", async () => {
    const files = await rotated(false);
    expect((await secretsLine(files))[0]).toBe(
      "WRONG  stored secrets: no configured data key opens 2 of account.webhook_secret_sealed",
    );
    await expect(resealSecrets(files.configFile, terminal)).rejects.toThrow(
      "no configured data key",
    );
    expect(await storedBy()).toEqual({ old: 10, new: 0 });
    await files.remove();
  });

  it("reports a missing data key or database once", async () => {
    const files = await rotated(true);
    await rm(files.newFile);
    terminal.lines();
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    expect(terminal.lines().join("\n")).not.toContain("stored secrets");
    await files.remove();
  });

  it("finds sealed travel-rule data without reading every deposit", async () => {
    const own = connect({ url, clock: systemClock, logger: terminal.logger });
    const explain: Statement<{ "QUERY PLAN": string }> = {
      name: "test.explain-sealed",
      text: `explain select payment_page_id from deposit where travel_rule_sealed is not null
           order by payment_page_id limit 500`,
    };
    const plan = await own.transaction(async (tx) => {
      await tx.query({ name: "test.no-seqscan", text: "set local enable_seqscan = off" });
      return await tx.query(explain);
    });
    await own.close();
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("deposit_by_travel_rule");
  });
});
