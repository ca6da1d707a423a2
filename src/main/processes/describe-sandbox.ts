import { join } from "node:path";
import { defaultPeopleSettings } from "../../accounts/people/context.ts";
import { defaultPasswordHashing } from "../../accounts/tokens/password-hash.ts";
import { type DemoAccounts, ensureDemoAccounts } from "../../sandbox/demo-accounts.ts";
import type { SandboxFile, SandboxWallet } from "../../sandbox/sandbox-file.ts";
import type { Foundation } from "../build/foundation.ts";
import { payableCurrencies } from "./until-usable.ts";

/** The demo accounts of the sandbox in `home`, created at its first start. */
export function openDemoAccounts(foundation: Foundation, home: string): Promise<DemoAccounts> {
  return ensureDemoAccounts(
    { ...foundation, passwordHashing: defaultPasswordHashing, people: defaultPeopleSettings },
    join(home, "demo.json"),
    payableCurrencies(foundation),
  );
}

/** Without the wallets of chains that ran at an earlier start and were not selected this time. */
export function sandboxFileOf(
  demo: DemoAccounts,
  baseUrl: string,
  chains: SandboxFile["chains"],
  { currencies, enabledChains }: Pick<Foundation, "currencies" | "enabledChains">,
): Omit<SandboxFile, "mail_url"> {
  const { other_account } = demo;
  const isUsable = ({ currency }: Pick<SandboxWallet, "currency">): boolean => {
    const { chain } = currencies.get(currency);
    return chain === null || enabledChains.has(chain);
  };
  return {
    base_url: baseUrl,
    login: demo.login,
    password: demo.password,
    webhook_secret: demo.webhook_secret,
    dashboard: demo.dashboard,
    users: demo.users,
    other_account: {
      login: other_account.login,
      password: other_account.password,
      wallets: other_account.wallets
        .filter(isUsable)
        .map(({ id, type, currency }) => ({ id, type, currency })),
    },
    wallets: demo.wallets.filter(isUsable),
    chains,
    metrics_url: `${baseUrl}/metrics`,
  };
}
