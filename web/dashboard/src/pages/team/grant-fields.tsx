import { Checkbox, Fieldset, Group, Stack } from "@mantine/core";
import { useWallets } from "../../api/lookups.ts";
import { t } from "../../language/t.ts";

export type Grant = { readonly wallet: string; readonly may_pay: boolean };

/** The wallets that the member may view, and those that it may pay from. */
export function GrantFields({
  grants,
  error,
  onChange,
}: {
  readonly grants: readonly Grant[];
  readonly error: React.ReactNode;
  readonly onChange: (grants: readonly Grant[]) => void;
}) {
  const wallets = [...useWallets().values()];
  return (
    <Fieldset legend={t("Wallets")}>
      <Stack gap="xs">
        {wallets.map(({ id, attributes: { label } }) => {
          const grant = grants.find(({ wallet }) => wallet === id);
          const others = grants.filter(({ wallet }) => wallet !== id);
          return (
            <Group key={id} justify="space-between">
              <Checkbox
                label={label}
                checked={grant !== undefined}
                onChange={({ currentTarget: { checked } }) => {
                  onChange(checked ? [...others, { wallet: id, may_pay: false }] : others);
                }}
              />
              <Checkbox
                label={t("Allow payouts")}
                aria-label={t("Payouts from {label}", { label })}
                disabled={grant === undefined}
                checked={grant?.may_pay === true}
                onChange={({ currentTarget: { checked } }) => {
                  onChange([...others, { wallet: id, may_pay: checked }]);
                }}
              />
            </Group>
          );
        })}
        {error === undefined || error === null ? null : (
          <span role="alert" className="field-error">
            {error}
          </span>
        )}
      </Stack>
    </Fieldset>
  );
}
