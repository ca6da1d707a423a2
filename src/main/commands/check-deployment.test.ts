/** `sluice check` tests each part separately, reports what is wrong with it, and prints no secret. */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openTerminal, writeDeployment } from "../../../test/support/command-line.ts";
import { administer, useDatabase } from "../../../test/support/database.ts";
import { type PrivateEvm, startPrivateEvm } from "../../../test/support/private-evm.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { type RateServer, startRateServer } from "../../sandbox/rate-server.ts";
import { type ScreeningServer, startScreeningServer } from "../../sandbox/screening-server.ts";
import { keyTrees } from "../families/families.ts";
import { runSigner } from "../processes/run-signer.ts";
import { checkDeployment } from "./check-deployment.ts";
import { initializeKeys } from "./initialize-keys.ts";

const { url, sql } = useDatabase();
const terminal = openTerminal();
const cost = { memoryKib: 64, passes: 1, threads: 1 };

let evm: PrivateEvm;
let rates: RateServer;
let screening: ScreeningServer;
beforeAll(async () => {
  [evm, rates, screening] = await Promise.all([
    startPrivateEvm(),
    startRateServer(),
    startScreeningServer(),
  ]);
  await evm.mine(3);
});
afterAll(async () => {
  await Promise.all([evm.stop(), rates.close(), screening.close()]);
});

const ethereum = (nodes: readonly unknown[], chainId = 1337) => ({
  ETH: { network: "regtest", chain_id: chainId, nodes },
});
const deployment = async (more: Readonly<Record<string, unknown>> = {}) => {
  const sources = rates.sources.map(({ source, baseUrl }) => ({ source, base_url: baseUrl }));
  const files = await writeDeployment(url, {
    chains: ethereum([evm.anvil.url]),
    rates: { sources },
    screening: { url: screening.url },
    ...more,
  });
  await initializeKeys(files.configFile, { showWords: false, wordsFile: null, cost }, terminal);
  terminal.lines();
  return files;
};

describe("sluice check", () => {
  it("prints one line per part and a result when everything works", async () => {
    const files = await deployment();
    expect(await checkDeployment(files.configFile, terminal)).toBe(true);
    const lines = terminal.lines();
    expect(lines.filter((line) => line.startsWith("WRONG"))).toEqual([]);
    const expected = [
      /^ok {5}configuration /,
      /^ok {5}database .*: PostgreSQL \d+\.\d+, schema up to date$/,
      /^ok {5}data key .*: 32 bytes$/,
      /^ok {5}stored secrets: 0, the configured data keys open them$/,
      /^ok {5}books: 0 currencies compared with their chains, no differences$/,
      /^ok {5}audit logs: the hash chains of 0 accounts are intact$/,
      /^ok {5}marks of database and signer: not compared: the signer is not running$/,
      /^ok {5}signer .*: not running; its keystore opens with the passphrase$/,
      /^ok {5}ETH node 127\.0\.0\.1:\d+: regtest, block 6, \d+ (?:s|min) old$/,
      ...rates.sources.map(({ source }) => new RegExp(`^ok {5}rates ${source}: \\d+ prices$`)),
      /^ok {5}conversions: 0 currencies have a position limit$/,
      /^ok {5}rate locks: an account's open rate locks are unlimited$/,
      /^ok {5}screening: 127\.0\.0\.1:\d+ answers \(green, risk \d+\)$/,
      /^ok {5}mail: none is configured/,
      /^ok {5}web push: on/,
      /^ok {5}callbacks: /,
      /^All checks passed\.$/,
    ];
    const findings = lines.filter((line) => !line.startsWith("       note: "));
    expect(findings).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(findings[index]).toMatch(pattern);
    expect(lines.join("\n")).toMatch(/note: the position from conversions is unlimited in ETH, /);
    expect(lines.join("\n")).toMatch(/note: .* unlimited: set deposits\.open_locks_max/);
    await files.remove();
  });

  it("warns when the operator pays token fees that no commission minimum covers", async () => {
    const contract = `0x${"ab".repeat(20)}`;
    const currencies = [{ currency: "USDT-ETH", contract }];
    const home = await mkdtemp(join(tmpdir(), "sluice-token-fees-"));
    const payouts = { approval_key_file: join(home, "approval.key"), token_fees: "operator" };
    const files = await deployment({ currencies, payouts });
    const note = async (): Promise<string> => {
      await checkDeployment(files.configFile, terminal);
      const lines = terminal.lines();
      const place = lines.findIndex((line) => line.includes("token fees: paid by the operator"));
      expect(place).toBeGreaterThan(0);
      return lines[place + 1] ?? "";
    };
    const uncovered =
      /note: accounts pay out USDT-ETH at the operator's expense: no commission minimum covers the fee/;
    expect(await note()).toMatch(uncovered);
    const setTerms = (account: string, currency: string, minimum: number) =>
      sql(
        `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values (${account}, ${currency}, 'payout', 5000, 0, ${minimum})`,
      );
    await setTerms("null", "'2015'", 1_000_000);
    expect(await note()).not.toMatch(uncovered);
    // An account's own terms take precedence over the defaults.
    await sql(
      `insert into account (id, name, webhook_secret_sealed, created_at)
     overriding system value values (77, 'shop', '', now())`,
    );
    await setTerms("77", "null", 0);
    expect(await note()).toMatch(uncovered);
    await sql("delete from commission_terms");
    await sql("delete from account where id = 77");
    await files.remove();
    await rm(home, { recursive: true });
  });

  it("asks a running signer and detects keys of another network", async () => {
    const files = await deployment();
    const run = (network: "main" | "test") =>
      runSigner(
        {
          folder: files.signerFolder,
          network,
          keyTrees: keyTrees(),
          createWithCost: null,
          passphrase: { kind: "file", path: files.passphraseFile },
        },
        { random: systemRandom, logger: silentLogger, clock: systemClock },
      );
    const ours = await run("test");
    expect(await checkDeployment(files.configFile, terminal)).toBe(true);
    expect(terminal.lines().join("\n")).toMatch(/signer .*: running/);
    await ours.close();
    const other = await run("main");
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    expect(terminal.lines().join("\n")).toMatch(/WRONG {2}signer .*keys of other networks/);
    await other.close();
    await files.remove();
  });

  it("names the files that are missing and what creates them", async () => {
    const files = await deployment();
    const failures = async (): Promise<readonly string[]> => {
      expect(await checkDeployment(files.configFile, terminal)).toBe(false);
      return terminal.lines().filter((line) => line.startsWith("WRONG"));
    };
    await rm(join(files.signerFolder, "keystore.json"));
    expect(await failures()).toEqual([
      expect.stringMatching(/^WRONG {2}signer .*keystore\.json does not exist: run `sluice init`/),
    ]);
    await rm(files.passphraseFile);
    expect(await failures()).toEqual([
      expect.stringMatching(/does not exist: write the keystore's passphrase into it$/),
    ]);
    const { keys } = JSON.parse(await readFile(files.configFile, "utf8")) as {
      readonly keys: { readonly data_key_files: readonly [string] };
    };
    await rm(keys.data_key_files[0]);
    expect((await failures())[0]).toMatch(
      /^WRONG {2}data key .*: it does not exist: run `sluice init`/,
    );
    await files.remove();
  });

  it("does not take a signer that is not the active one for one that is not running", async () => {
    const files = await deployment();
    const peer = {
      kind: "remote" as const,
      name: "one",
      host: "127.0.0.1",
      port: 1,
      certificateFile: "peer.crt",
      keyFile: "peer.key",
      authorityFile: "ca.crt",
    };
    const witness = { endpoints: ["http://127.0.0.1:1"], key: "sluice/signer" };
    const signer = await runSigner(
      {
        folder: files.signerFolder,
        network: "test",
        keyTrees: keyTrees(),
        createWithCost: null,
        passphrase: { kind: "file", path: files.passphraseFile },
        pair: { name: "two", peer, witness, takeoverSeconds: 5 },
      },
      { random: systemRandom, logger: silentLogger, clock: systemClock },
    );
    await checkDeployment(files.configFile, terminal);
    expect(terminal.lines().join("\n")).toMatch(
      /^ok {5}marks of database and signer: not compared: this signer is not the active one of its pair$/m,
    );
    await signer.close();
    await files.remove();
  });

  it("checks each node separately and prints only the host of its URL", async () => {
    const refusing = createServer((_request, response) => {
      response.writeHead(401).end();
    }).listen(0, "127.0.0.1");
    await once(refusing, "listening");
    const { port } = refusing.address() as AddressInfo;
    const anvil = new URL(evm.anvil.url);
    const files = await deployment({
      chains: ethereum([
        `http://us%65r:top-secret@${anvil.host}/`,
        `http://user:top-secret@127.0.0.1:${port}/v3/path-secret?key=query-secret`,
        "http://user:top-secret@127.0.0.1:1/v3/path-secret",
      ]),
    });
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    refusing.close();
    const lines = terminal.lines().filter((line) => line.includes("ETH node"));
    expect(lines[0]).toMatch(/^ok {5}ETH node/);
    expect(lines[1]).toMatch(new RegExp(`^WRONG {2}ETH node 127\\.0\\.0\\.1:${port}: .*refused`));
    expect(lines[2]).toMatch(/^WRONG {2}ETH node 127\.0\.0\.1:1: .*ECONNREFUSED/);
    expect(lines.join()).not.toMatch(/secret/);
    await files.remove();
  });

  it("sends a node's headers and prints none of their values", async () => {
    const keys: unknown[] = [];
    const echoing = createServer((request, response) => {
      keys.push([request.headers["x-key"], request.headers["x-file-key"]]);
      const message = `unknown key ${String(request.headers["x-key"])}`;
      response.end(JSON.stringify({ id: null, error: { code: 1, message } }));
    }).listen(0, "127.0.0.1");
    await once(echoing, "listening");
    const { port } = echoing.address() as AddressInfo;
    const home = await mkdtemp(join(tmpdir(), "sluice-header-"));
    const file = join(home, "key");
    await writeFile(file, "file-secret\n");
    await chmod(file, 0o644);
    const headers = { "X-Key": "header-secret" };
    const files = await deployment({
      chains: ethereum([
        { url: evm.anvil.url, headers, header_files: { "X-File-Key": file } },
        { url: `http://127.0.0.1:${port}`, headers, header_files: { "X-File-Key": file } },
        { url: "http://127.0.0.1:1", header_files: { "X-File-Key": join(home, "none") } },
      ]),
    });
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    echoing.close();
    const lines = terminal.lines();
    const nodes = lines.filter((line) => line.includes("ETH node"));
    expect(nodes[0]).toMatch(/^ok {5}ETH node/);
    expect(nodes[1]).toMatch(/^WRONG {2}ETH node .*unknown key \*\*\*/);
    expect(nodes[2]).toMatch(/^WRONG {2}ETH node 127\.0\.0\.1:1: ENOENT/);
    expect(lines.join("\n")).toContain(`note: ${file} can be read by other users`);
    expect(lines.join()).not.toMatch(/-secret/);
    expect(keys[0]).toEqual(["header-secret", "file-secret"]);
    await files.remove();
    await rm(home, { recursive: true });
  });

  it("reports a node of another network, wrong rates and a silent screening service", async () => {
    const files = await deployment({
      chains: ethereum([evm.anvil.url], 1),
      rates: { sources: [{ source: "kraken", base_url: "http://127.0.0.1:2" }] },
    });
    screening.setAnswering(false);
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    screening.setAnswering(true);
    const text = terminal.lines().join("\n");
    expect(text).toMatch(/WRONG {2}ETH node .*chain id 1337, configured is 1/);
    expect(text).toMatch(/WRONG {2}rates kraken: .*ECONNREFUSED/);
    expect(text).toMatch(/WRONG {2}screening: .*503/);
    expect(text).toMatch(/Some checks failed/);
    await files.remove();
  });

  it("reports a missing database, a wrong passphrase and a broken data key without the password", async () => {
    const files = await deployment({
      database: { url: "postgres://sluice:database-secret@127.0.0.1:1/sluice" },
    });
    await writeFile(files.passphraseFile, "wrong horse");
    await chmod(files.passphraseFile, 0o600);
    await writeFile(files.dataKeyFile, "no key");
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    const text = terminal.lines().join("\n");
    expect(text).toMatch(/WRONG {2}database 127\.0\.0\.1:1\/sluice: .*ECONNREFUSED/);
    expect(text).toMatch(/WRONG {2}data key .*64 hexadecimal digits/);
    expect(text).toMatch(/WRONG {2}signer .*wrong passphrase/);
    expect(text).not.toMatch(/secret|horse/);
    await files.remove();
  });

  it("reports a database that is not UTF8", async () => {
    const template = inject("databaseUrl");
    const name = `ascii_${randomUUID().replaceAll("-", "")}`;
    await administer(
      template,
      `create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`,
    );
    const files = await deployment({
      database: { url: template.replace(/\/sluice$/, `/${name}`) },
    });
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    const wrong = terminal.lines().filter((line) => line.startsWith("WRONG"));
    expect(wrong).toEqual([
      expect.stringMatching(
        /^WRONG {2}database .*: its encoding is SQL_ASCII, and only UTF8 stores all text: create it with `createdb --encoding UTF8 --template template0 NAME`/,
      ),
    ]);
    await files.remove();
    await administer(template, `drop database ${name} with (force)`);
  });

  it("reports files that others can read, and an outdated schema", async () => {
    const files = await deployment();
    await chmod(files.dataKeyFile, 0o644);
    const newest = "(select max(name) from schema_migration)";
    const [removed] = await sql<{ name: string; digest: string }>(
      `delete from schema_migration where name = ${newest} returning name, digest`,
    );
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    const text = terminal.lines().join("\n");
    expect(text).toMatch(/note: .*data\.key can be read by other users/);
    expect(text).toMatch(/WRONG {2}database .*run `sluice migrate`/);
    await sql(
      "insert into schema_migration (name, digest, applied_at) values ($1, $2, '2026-01-01Z')",
      [removed!.name, removed!.digest],
    );
    await files.remove();
  });

  it("lists the members that variables set, without their values, and checks what they name", async () => {
    const files = await deployment({ database: { url: "postgres://127.0.0.1:1/none" } });
    const secret = join(files.folder, "database-url");
    await writeFile(secret, `${url}\n`);
    await chmod(secret, 0o644);
    const well = await checkDeployment(files.configFile, terminal, {
      environment: { SLUICE__DATABASE__URL_FILE: secret, SLUICE__LOG__LEVEL: "warn" },
    });
    const lines = terminal.lines();
    expect(well).toBe(true);
    expect(lines.slice(1, 4)).toEqual([
      `ok     SLUICE__DATABASE__URL_FILE: sets database.url from ${secret}`,
      `       note: ${secret} can be read by other users: chmod 600 it`,
      "ok     SLUICE__LOG__LEVEL: sets log.level",
    ]);
    expect(lines.join()).not.toContain(url);
    const faulty = { SLUICE__DATABASE__URL_FILE: "/nowhere", SLUICE__LOG__LOUD: "1" };
    expect(await checkDeployment(files.configFile, terminal, { environment: faulty })).toBe(false);
    expect(terminal.lines()).toEqual([
      expect.stringMatching(/^WRONG {2}SLUICE__DATABASE__URL_FILE: ENOENT/),
      "WRONG  SLUICE__LOG__LOUD: the configuration has no such member",
    ]);
    await files.remove();
  });

  it("reports an unreadable configuration by line and checks nothing else", async () => {
    const files = await deployment();
    await writeFile(files.configFile, "{}");
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    const lines = terminal.lines();
    expect(lines.length).toBeGreaterThan(1);
    expect(
      lines.every((line) => line.startsWith("WRONG  ") && line.includes("sluice.json:1:1")),
    ).toBe(true);
    await rm(files.configFile);
    expect(await checkDeployment(files.configFile, terminal)).toBe(false);
    expect(terminal.lines()).toEqual([expect.stringContaining("ENOENT")]);
    await files.remove();
  });
});
