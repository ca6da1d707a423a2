import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultPeopleSettings } from "../../src/accounts/people/context.ts";
import { defaultPasswordHashing } from "../../src/accounts/tokens/password-hash.ts";
import { createApprovalKeyFiles } from "../../src/main/build/approval-keys.ts";
import { createFoundation } from "../../src/main/build/foundation.ts";
import { type Config, configSchema } from "../../src/main/config/config.ts";
import { sandboxConfig } from "../../src/main/config/sandbox-config.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { storedSecret } from "../../src/platform/processes/stored-secret.ts";
import { type DemoAccounts, ensureDemoAccounts } from "../../src/sandbox/demo-accounts.ts";
import { createKeystore } from "../../src/signer/keys/keystore.ts";
import { assets } from "./assets.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

/** The lowest valid cost: nothing attacks this keystore. */
const keyCost = { memoryKib: 8_192, passes: 1, threads: 1 };

/** Where a deployment runs; its database is started and empty. */
export type SiteToPrepare = Parameters<typeof sandboxConfig>[0];

export type PreparedSite = {
  readonly configFile: string;
  readonly baseUrl: string;
  readonly account: DemoAccounts;
};

/** Migrates the database and writes configuration, keys and accounts, so that the processes can start. */
export async function prepareSite(
  site: SiteToPrepare,
  adjust?: (config: Config) => Partial<Config>,
): Promise<PreparedSite> {
  const { home } = site;
  const usual = chaosConfig(site);
  const config = configSchema.parse({ ...usual, ...adjust?.(usual) });
  const configFile = join(home, "config.json");
  await Promise.all([migrate(site.databaseUrl, systemClock), writeKeys(home)]);
  await writeFile(configFile, JSON.stringify(config, null, 2), { mode: 0o600 });
  await createApprovalKeyFiles(config, systemRandom);
  return { configFile, baseUrl: config.base_url, account: await openAccount(config, home) };
}

/** The sandbox's settings, with leases short enough that the next worker takes over within a round or two. */
function chaosConfig(site: SiteToPrepare): Config {
  const config = sandboxConfig(site);
  return configSchema.parse({
    ...config,
    currencies: assets
      .filter(({ chain }) => chain in site.chains)
      .map(({ alpha, confirmations }) => {
        const known = config.currencies.find(({ currency }) => currency === alpha);
        return { ...known, currency: alpha, confirmation_blocks: confirmations };
      }),
    callbacks: { ...config.callbacks, retry_seconds: [1, 1, 2, 2, 3, 3, 5, 5, 10, 10, 30] },
    throttle: { read: 1_000_000, create: 1_000_000, calculate: 1_000_000, token: 1_000_000 },
    // Few, so that the pools are refilled all the time.
    deposits: { ...config.deposits, addresses_ahead: 40 },
    worker: { host: "127.0.0.1", port: 0, lease_seconds: 2 },
    log: { level: "info" },
  });
}

async function writeKeys(folder: string): Promise<void> {
  const dataKey = Buffer.from(systemRandom.bytes(32)).toString("hex");
  await writeFile(join(folder, "data.key"), `${dataKey}\n`, { mode: 0o600 });
  const passphrase = await storedSecret(join(folder, "passphrase"), systemRandom);
  await mkdir(join(folder, "signer"), { recursive: true, mode: 0o700 });
  await createKeystore({
    path: join(folder, "signer", "keystore.json"),
    passphrase: Buffer.from(passphrase),
    random: systemRandom,
    cost: keyCost,
  });
}

async function openAccount(config: Config, folder: string): Promise<DemoAccounts> {
  const foundation = await createFoundation(config, world, "cli");
  try {
    return await ensureDemoAccounts(
      { ...foundation, passwordHashing: defaultPasswordHashing, people: defaultPeopleSettings },
      join(folder, "demo.json"),
      foundation.currencies.all.filter(
        ({ chain, kind, token }) =>
          chain !== null &&
          foundation.enabledChains.has(chain) &&
          (kind === "coin" || token !== null),
      ),
    );
  } finally {
    await foundation.db.close();
  }
}
