import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createAccount } from "../../src/accounts/create-account.ts";
import { createCredential } from "../../src/accounts/credentials/create-credential.ts";
import { createMember } from "../../src/accounts/members/create-member.ts";
import { defaultPeopleSettings } from "../../src/accounts/people/context.ts";
import type { Principal } from "../../src/accounts/principal.ts";
import { defaultPasswordHashing } from "../../src/accounts/tokens/password-hash.ts";
import { createWallet } from "../../src/accounts/wallets/administer-wallets.ts";
import type { WalletType } from "../../src/accounts/wallets/wallet.ts";
import { createApprovalKeyFiles } from "../../src/main/build/approval-keys.ts";
import { connectSigner } from "../../src/main/build/connect-signer.ts";
import { createFoundation, type Foundation } from "../../src/main/build/foundation.ts";
import { type Config, configSchema } from "../../src/main/config/config.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { freePort } from "../../src/platform/processes/free-port.ts";
import { createKeystore, defaultKeyDerivationCost } from "../../src/signer/keys/keystore.ts";
import type { BenchSite } from "./bench-site.ts";
import { type RunningProcess, startSluice, untilAnswers } from "./child-process.ts";

/** A deployment with its own database, configuration and keys, whose processes run as in production. */
export type Deployment = {
  readonly name: string;
  readonly site: BenchSite;
  readonly databaseUrl: string;
  readonly config: Config;
  readonly configFile: string;
  /** For test data, in this process. */
  readonly foundation: Foundation;
};

/** More requests than any round makes: the throttle counts each one and refuses none. */
const unreachable = 2_000_000_000;

export async function deploy(
  site: BenchSite,
  name: string,
  more: {
    readonly chains?: object;
    readonly callbacks?: object;
    readonly paymentPages?: object;
    /** Payout settings; absent: it only receives. */
    readonly payouts?: object;
  } = {},
): Promise<Deployment> {
  const folder = join(site.folder, name);
  await mkdir(folder, { mode: 0o700 });
  const databaseUrl = await site.createDatabase(name);
  const port = await freePort();
  const dataKey = join(folder, "data.key");
  const passphrase = join(folder, "passphrase");
  await writeFile(dataKey, Buffer.from(systemRandom.bytes(32)).toString("hex"));
  await writeFile(passphrase, "bench", { mode: 0o600 });
  const config = configSchema.parse({
    base_url: `http://127.0.0.1:${port}`,
    listen: { port },
    database: { url: databaseUrl },
    keys: { data_key_files: [dataKey] },
    signer: {
      folder: join(folder, "signer"),
      passphrase_file: passphrase,
      approval_key_files: more.payouts === undefined ? [] : [join(folder, "approval.pub")],
    },
    // Only workers use these nodes.
    chains: more.chains ?? {
      BTC: { network: "regtest", nodes: ["http://127.0.0.1:1"] },
      ETH: { network: "testnet", nodes: ["http://127.0.0.1:1"] },
    },
    // Prices must not be requested from the network.
    rates: { sources: [{ source: "kraken", base_url: "http://127.0.0.1:1" }] },
    throttle: { read: unreachable, create: unreachable, calculate: unreachable },
    worker: { port: await freePort() },
    ...(more.callbacks === undefined ? {} : { callbacks: more.callbacks }),
    ...(more.paymentPages === undefined ? {} : { payment_pages: more.paymentPages }),
    ...(more.payouts === undefined
      ? {}
      : { payouts: { approval_key_file: join(folder, "approval.key"), ...more.payouts } }),
  });
  await createApprovalKeyFiles(config, systemRandom);
  const configFile = join(folder, "config.json");
  await writeFile(configFile, JSON.stringify(config));
  const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const part = more.payouts === undefined ? "cli" : "api";
  const foundation = await createFoundation(config, world, part);
  site.teardown.add(`connections of ${name}`, () => foundation.db.close());
  return { name, site, databaseUrl, config, configFile, foundation };
}

/** Starts the signer with its own keystore; resolves with the seconds until it answers. */
export async function startSigner(
  deployment: Deployment,
): Promise<RunningProcess & { readonly readySeconds: number }> {
  const { name, site, config, configFile } = deployment;
  const { folder } = config.signer;
  const path = join(folder, "keystore.json");
  if (!existsSync(path)) {
    await mkdir(folder, { mode: 0o700 });
    const passphrase = Buffer.from("bench");
    // With production's cost, which every start pays.
    await createKeystore({
      path,
      passphrase,
      random: systemRandom,
      cost: defaultKeyDerivationCost,
    });
  }
  const start = performance.now();
  const process = startSluice(["signer", "--config", configFile], {
    logFile: join(site.folder, name, "signer.log"),
    teardown: site.teardown,
  });
  const client = await connectSigner(config, systemClock);
  client.close();
  return { ...process, readySeconds: (performance.now() - start) / 1000 };
}

/** Starts one of the deployment's processes; resolves when it is ready. */
export async function startPart(
  { name, site, config, configFile }: Deployment,
  part: "api" | "worker",
): Promise<RunningProcess & { readonly readySeconds: number }> {
  const process = startSluice([part, "--config", configFile], {
    logFile: join(site.folder, name, `${part}.log`),
    teardown: site.teardown,
  });
  const readySeconds = await untilAnswers(
    part === "api"
      ? `${config.base_url}/ping`
      : `http://${config.worker.host}:${config.worker.port}/healthz`,
  );
  return { ...process, readySeconds };
}

export type Tenant = {
  readonly principal: Principal;
  readonly login: string;
  readonly password: string;
};

export async function arrangeTenant({ foundation }: Deployment): Promise<Tenant> {
  const accounts = {
    ...foundation,
    passwordHashing: defaultPasswordHashing,
    people: defaultPeopleSettings,
  };
  const { id: accountId } = await createAccount(accounts, { name: "Bench" });
  const { member } = await createMember(accounts, "operator", {
    accountId,
    name: "Owner",
    role: "owner",
    wallets: "all",
    login: null,
  });
  const { credential, password } = await createCredential(accounts, "operator", {
    accountId,
    memberId: member.id,
    label: "",
    allowedNetworks: [],
  });
  return {
    principal: {
      accountId,
      memberId: member.id,
      credentialId: credential.id,
      role: "owner",
      wallets: "all",
      accountIsReady: true,
    },
    login: credential.login,
    password,
  };
}

export async function arrangeWallet(
  { foundation }: Deployment,
  { principal }: Tenant,
  type: WalletType,
  currency: string,
): Promise<string> {
  return (await createWallet(foundation, principal, { type, currency, label: null })).id;
}

/** An access token from the real login. */
export async function logIn(
  { config }: Deployment,
  { login, password }: Tenant,
): Promise<Readonly<Record<string, string>>> {
  const mediaType = "application/vnd.api+json";
  const answer = await fetch(`${config.base_url}/token/`, {
    method: "POST",
    headers: { "content-type": mediaType },
    body: JSON.stringify({ data: { type: "auth-token", attributes: { login, password } } }),
  });
  if (answer.status !== 200) throw new Error(`no token: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { attributes: { access: string } } };
  return { authorization: `Bearer ${data.attributes.access}`, "content-type": mediaType };
}
