import { Checkbox, NativeSelect } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Role } from "../../api/me.ts";
import { roleChoices, roleMeanings } from "../../components/role-names.ts";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { type Grant, GrantFields } from "./grant-fields.tsx";

/** What a member may do, and in which wallets. */
export type Rights = { role: Role; all_wallets: boolean; wallet_grants: readonly Grant[] };

/** The rights as the API takes them: either all wallets, or the granted ones. */
export function rightsInput({ role, all_wallets, wallet_grants }: Rights) {
  return { role, ...(all_wallets ? { all_wallets } : { all_wallets, wallet_grants }) };
}

/** A member's role and wallets. */
export function RightsFields<Values extends Rights & Record<string, unknown>>({
  form,
}: {
  readonly form: UseFormReturnType<Values>;
}) {
  const { role: ownRole } = useRole();
  const { role, all_wallets: hasAll, wallet_grants: grants } = form.getValues();
  return (
    <>
      <NativeSelect
        label={t("Role")}
        description={roleMeanings[role]}
        data={roleChoices(ownRole)}
        {...form.getInputProps("role")}
      />
      <Checkbox
        label={t("All wallets, including future ones")}
        {...form.getInputProps("all_wallets", { type: "checkbox" })}
      />
      {hasAll ? null : (
        <GrantFields
          grants={grants}
          error={form.errors["wallet_grants"]}
          onChange={(next) => {
            form.setValues({ wallet_grants: next } as Partial<Values>);
          }}
        />
      )}
    </>
  );
}
