import { Text } from "@mantine/core";
import type { ProtectionChange } from "../../../../../client/src/api-types.gen.ts";
import { codeOf, useCurrencies, useWallets } from "../../api/lookups.ts";
import { Amount } from "../../components/amount.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { t } from "../../language/t.ts";
import { spanNames } from "./change-text.ts";

/** What a change changes: a limit before and after, or a full address; nothing where its title says it all. */
export function ChangeDetails({ change }: { readonly change: ProtectionChange }) {
  const { attributes, relationships } = change;
  const currencies = useCurrencies();
  const wallets = useWallets();
  if (attributes.address !== null)
    return (
      <div>
        <CodeText value={attributes.address} label="address" />
        <Text size="sm" c="dimmed">
          {[
            attributes.chain,
            attributes.tag === null ? null : t("Tag {tag}", { tag: attributes.tag }),
            attributes.label,
          ]
            .filter((part) => part !== null && part !== "")
            .join(" · ")}
        </Text>
      </div>
    );
  const currency = relationships.currency.data;
  if (currency === null) return null;
  const code = codeOf(currencies, currency.id);
  const isThreshold = attributes.kind === "travel_rule_threshold";
  const wallet = relationships.wallet.data;
  const scope =
    wallet === null
      ? t("All wallets")
      : (wallets.get(wallet.id)?.attributes.label ?? t("Wallet {name}", { name: wallet.id }));
  const amountOf = (value: string | null) => {
    if (value === null) return isThreshold ? t("Always required") : t("No limit");
    return <Amount value={value} code={code} />;
  };
  return (
    <div>
      <span className="one-line">
        {amountOf(attributes.former_amount)}
        {" → "}
        {amountOf(attributes.amount)}
      </span>
      <Text size="sm" c="dimmed">
        {isThreshold
          ? t("Recipient details required from")
          : [spanNames[attributes.span ?? ""], scope].join(" · ")}
      </Text>
    </div>
  );
}
