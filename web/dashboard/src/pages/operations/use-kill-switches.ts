import { useQuery } from "@tanstack/react-query";
import type { KillSwitch, Wallet } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import type { ById } from "../../api/lookups.ts";
import { useMe } from "../../api/me.ts";
import { refreshEvery } from "../../api/refresh-every.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";

/** The active kill switches and other pauses that concern the account; undefined while loading. */
export function useKillSwitches(): readonly KillSwitch[] | undefined {
  return useQuery({
    queryKey: ["kill-switches"],
    queryFn: async ({ signal }) => Array.fromAsync(api.each("/kill-switch/", { signal })),
    refetchInterval: refreshEvery(5_000),
  }).data;
}

/** Whether the signed-in member may end a pause. */
export function useMayRelease(): (killSwitch: KillSwitch) => boolean {
  const { mayAdminister } = useRole();
  const isOperator = useMe()?.operates_deployment === true;
  return ({ attributes: { kind, scope } }) =>
    kind === "kill_switch" && mayAdminister && (isOperator || scope === "wallet");
}

/** What stops payouts of this wallet on this chain; undefined if nothing does, and while loading. */
export function useStop(payout: {
  readonly walletId: string | null;
  readonly chain: string | null;
}): KillSwitch | undefined {
  return useKillSwitches()?.find((killSwitch) => stopsPayout(killSwitch, payout));
}

/** What a kill switch stops, such as "Payouts on ETH". */
export function stoppedName(
  { attributes, relationships }: KillSwitch,
  wallets: ById<Wallet>,
): string {
  if (attributes.scope === "all") return t("All payouts");
  if (attributes.scope === "chain")
    return attributes.stops_crediting
      ? t("Payouts and credits on {chain}", { chain: attributes.chain ?? "" })
      : t("Payouts on {chain}", { chain: attributes.chain ?? "" });
  const id = relationships.wallet.data?.id ?? "";
  return t("Wallet {name}", { name: wallets.get(id)?.attributes.label ?? id });
}

/** Whether a pause refuses payouts of this wallet on this chain; null where none is chosen yet. */
export function stopsPayout(
  { attributes, relationships }: KillSwitch,
  payout: { readonly walletId: string | null; readonly chain: string | null },
): boolean {
  if (attributes.scope === "all") return true;
  return attributes.scope === "chain"
    ? attributes.chain === payout.chain
    : relationships.wallet.data?.id === payout.walletId;
}
