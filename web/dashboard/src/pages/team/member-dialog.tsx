import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Member } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { useWallets } from "../../api/lookups.ts";
import type { Role } from "../../api/me.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { roleChoices, roleMeanings } from "../../components/role-names.ts";
import { useApiForm } from "../../components/use-api-form.ts";
import { useRole } from "../../components/use-role.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";
import { InitialPassword } from "./member-actions.tsx";

type Grant = { readonly wallet: string; readonly may_pay: boolean };

type Values = {
  name: string;
  role: Role;
  login: string;
  all_wallets: boolean;
  wallet_grants: readonly Grant[];
};

/** Adds, invites or edits a team member. */
export function MemberDialog({
  isOpen,
  isInvitation = false,
  member,
  onClose,
  onDone,
}: {
  readonly isOpen: boolean;
  /** The new member gets a link by email and chooses login and password. */
  readonly isInvitation?: boolean;
  /** Null adds a new member. */
  readonly member: Member | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const adding = isInvitation ? t("Invite member") : t("Add member");
  const title = member === null ? adding : t("Edit {name}", { name: member.attributes.name });
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title} size="lg">
      {isInvitation ? (
        <InvitationForm onClose={onClose} onDone={onDone} />
      ) : (
        <MemberForm key={member?.id ?? ""} member={member} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  );
}

function MemberForm({
  member,
  onClose,
  onDone,
}: {
  readonly member: Member | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { role: ownRole } = useRole();
  const [access, setAccess] = useState<{ login: string; password: string } | null>(null);
  const { form, ...sending } = useApiForm<Values, Member>({
    initialValues: valuesOf(member),
    send: async (values) => (await save(member, values)).data,
    onDone: ({ attributes: { login, initial_password: password } }) => {
      onDone();
      if (login === null || password === undefined) onClose();
      else setAccess({ login, password });
    },
  });
  const { role, all_wallets: hasAll, wallet_grants: grants } = form.getValues();
  if (access !== null) return <AddedMember access={access} onClose={onClose} />;
  return (
    <DialogForm
      {...sending}
      action={member === null ? t("Add member") : t("Save")}
      onClose={onClose}
    >
      <TextInput
        label={t("Name")}
        maxLength={64}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <NativeSelect
        label={t("Role")}
        description={roleMeanings[role]}
        data={roleChoices(ownRole)}
        {...form.getInputProps("role")}
      />
      {member === null ? (
        <TextInput
          label={t("Login")}
          description={t(
            "A username or email address. Leave empty if this member is used only by API keys.",
          )}
          autoComplete="off"
          {...form.getInputProps("login")}
        />
      ) : null}
      <Checkbox
        label={t("All wallets, including future ones")}
        {...form.getInputProps("all_wallets", { type: "checkbox" })}
      />
      {hasAll ? null : (
        <GrantFields
          grants={grants}
          error={form.errors["wallet_grants"]}
          onChange={(next) => {
            form.setFieldValue("wallet_grants", next);
          }}
        />
      )}
    </DialogForm>
  );
}

/** Invites a person: the rights are those of a member, the address takes the place of the login. */
function InvitationForm({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { role: ownRole } = useRole();
  const { form, ...sending } = useApiForm<Omit<Values, "login"> & { email: string }, unknown>({
    initialValues: { name: "", email: "", role: "read_only", all_wallets: true, wallet_grants: [] },
    send: ({ name, email, role, all_wallets, wallet_grants }) =>
      withReauthentication(() =>
        api.post("/invitation/", {
          attributes: {
            name,
            email: email.trim(),
            role,
            ...(all_wallets ? { all_wallets } : { all_wallets, wallet_grants }),
          },
        }),
      ),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const { role, all_wallets: hasAll, wallet_grants: grants } = form.getValues();
  return (
    <DialogForm {...sending} action={t("Send invitation")} onClose={onClose}>
      <TextInput
        label={t("Name")}
        maxLength={64}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label={t("Email")}
        type="email"
        description={t("Gets a link that works once, for 7 days.")}
        autoComplete="off"
        required
        {...form.getInputProps("email")}
      />
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
            form.setFieldValue("wallet_grants", next);
          }}
        />
      )}
    </DialogForm>
  );
}

function AddedMember({
  access,
  onClose,
}: {
  readonly access: { readonly login: string; readonly password: string };
  readonly onClose: () => void;
}) {
  return (
    <Stack>
      <InitialPassword access={access} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("Done")}</Button>
      </Group>
    </Stack>
  );
}

function valuesOf(member: Member | null): Values {
  if (member === null)
    return { name: "", role: "read_only", login: "", all_wallets: true, wallet_grants: [] };
  const { name, role, all_wallets, wallet_grants } = member.attributes;
  return { name, role, login: "", all_wallets, wallet_grants };
}

function save(member: Member | null, { name, role, login, all_wallets, wallet_grants }: Values) {
  const wallets = all_wallets ? { all_wallets } : { all_wallets, wallet_grants };
  if (member === null)
    return withReauthentication(() =>
      api.post("/member/", {
        attributes: { name, role, ...wallets, ...(login === "" ? {} : { login }) },
      }),
    );
  return api.patch("/member/{id}/", { id: member.id, attributes: { name, role, ...wallets } });
}

/** The wallets that the member may view, and those that it may pay from. */
function GrantFields({
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
