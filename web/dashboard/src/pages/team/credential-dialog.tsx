import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  type NativeSelectProps,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Credential } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { OneTimeSecrets } from "../../components/one-time-secrets.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { withReauthentication } from "../../components/with-reauthentication.tsx";
import { t } from "../../language/t.ts";

type Values = { label: string; member: string; allowed_networks: string; confirm: boolean };

/** Creates an API key, or edits its label and allowlist. */
export function CredentialDialog({
  isOpen,
  credential,
  onClose,
}: {
  readonly isOpen: boolean;
  /** Null creates a new key. */
  readonly credential: Credential | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={credential === null ? t("Create API key") : t("Edit API key")}
      size="lg"
    >
      <CredentialForm key={credential?.id ?? ""} credential={credential} onClose={onClose} />
    </Dialog>
  );
}

function CredentialForm({
  credential,
  onClose,
}: {
  readonly credential: Credential | null;
  readonly onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<{ login: string; password: string } | null>(null);
  const { form, ...sending } = useApiForm<Values, Credential>({
    initialValues: {
      label: credential?.attributes.label ?? "",
      member: credential?.relationships.member.data.id ?? "",
      allowed_networks: credential?.attributes.allowed_networks.join("\n") ?? "",
      confirm: false,
    },
    send: async (values) => (await save(credential, values)).data,
    onDone: ({ attributes: { login, password } }) => {
      void queryClient.invalidateQueries({ queryKey: ["list"] });
      if (password === undefined) onClose();
      else setCreated({ login, password });
    },
  });
  if (created !== null) return <CreatedCredential created={created} onClose={onClose} />;
  const isLockingOut = asksForConfirm(form.errors["allowed_networks"]);
  return (
    <DialogForm
      {...sending}
      action={credential === null ? t("Create") : t("Save")}
      onClose={onClose}
    >
      <TextInput
        label={t("Label")}
        placeholder={t("Online store")}
        maxLength={64}
        data-autofocus
        {...form.getInputProps("label")}
      />
      {credential === null ? <MemberSelect {...form.getInputProps("member")} /> : null}
      <Textarea
        label={t("IP allowlist")}
        description={t(
          "One address or network per line, for example 192.0.2.0/24 or 2001:db8::/32. Leave empty to allow any address.",
        )}
        autosize
        minRows={2}
        {...form.getInputProps("allowed_networks")}
      />
      {isLockingOut ? (
        <Checkbox
          label={t("Save even though my current address is not on the list")}
          {...form.getInputProps("confirm", { type: "checkbox" })}
        />
      ) : null}
    </DialogForm>
  );
}

function CreatedCredential({
  created,
  onClose,
}: {
  readonly created: { readonly login: string; readonly password: string };
  readonly onClose: () => void;
}) {
  return (
    <Stack>
      <OneTimeSecrets
        title={t("Save this now. It won't be shown again.")}
        secrets={[
          { label: t("Login"), kind: "login", value: created.login },
          { label: t("Password"), kind: "password", value: created.password },
        ]}
      >
        {t("Store the password in a secret manager. Sluice stores only a hash.")}
      </OneTimeSecrets>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t("Done")}</Button>
      </Group>
    </Stack>
  );
}

function MemberSelect(props: NativeSelectProps) {
  const members = useQuery({
    queryKey: ["members", "active"],
    queryFn: async ({ signal }) =>
      Array.fromAsync(api.each("/member/", { filter: { is_active: true }, signal })),
  });
  return (
    <NativeSelect
      {...props}
      label={t("Acts as")}
      description={t("The key has this member's role and wallets.")}
      required
      data={[
        { value: "", label: t("Choose a member") },
        ...(members.data ?? []).map(({ id, attributes }) => ({
          value: id,
          label: attributes.name,
        })),
      ]}
    />
  );
}

/** The service asks for `confirm` when an allowlist would lock out the address of the request. */
function asksForConfirm(error: React.ReactNode): boolean {
  return typeof error === "string" && error.includes("confirm");
}

function save(credential: Credential | null, { label, member, allowed_networks, confirm }: Values) {
  const networks = allowed_networks.split(/[\s,;]+/).filter((network) => network !== "");
  if (credential === null)
    return withReauthentication(() =>
      api.post("/credential/", {
        attributes: { label, allowed_networks: networks },
        relationships: { member: { type: "member", id: member } },
      }),
    );
  return api.patch("/credential/{id}/", {
    id: credential.id,
    attributes: { label, allowed_networks: networks, ...(confirm ? { confirm } : {}) },
  });
}
