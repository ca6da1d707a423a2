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
import { confirmed } from "../../components/confirmed.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { ShownOnce } from "../../components/shown-once.tsx";
import { useApiForm } from "../../components/use-api-form.ts";

type Values = { label: string; member: string; allowed_networks: string; confirm: boolean };

/** Makes a credential, or changes its label and allow-list. */
export function CredentialDialog({
  isOpen,
  credential,
  onClose,
}: {
  readonly isOpen: boolean;
  /** Null: a new one. */
  readonly credential: Credential | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={credential === null ? "Make a credential" : "Change the credential"}
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
  const [made, setMade] = useState<{ login: string; password: string } | null>(null);
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
      else setMade({ login, password });
    },
  });
  if (made !== null) return <MadeCredential made={made} onClose={onClose} />;
  const isLockingOut = isAboutOwnAddress(form.errors["allowed_networks"]);
  return (
    <DialogForm {...sending} action={credential === null ? "Make it" : "Save"} onClose={onClose}>
      <TextInput
        label="Label"
        placeholder="Web shop"
        maxLength={64}
        data-autofocus
        {...form.getInputProps("label")}
      />
      {credential === null ? <MemberSelect {...form.getInputProps("member")} /> : null}
      <Textarea
        label="Allowed from"
        description="Addresses or networks such as 192.0.2.0/24 and 2001:db8::/32, one a line. Empty: from anywhere."
        autosize
        minRows={2}
        {...form.getInputProps("allowed_networks")}
      />
      {isLockingOut ? (
        <Checkbox
          label="My own address need not be on the list"
          {...form.getInputProps("confirm", { type: "checkbox" })}
        />
      ) : null}
    </DialogForm>
  );
}

function MadeCredential({
  made,
  onClose,
}: {
  readonly made: { readonly login: string; readonly password: string };
  readonly onClose: () => void;
}) {
  return (
    <Stack>
      <ShownOnce
        title="Shown this once"
        secrets={[
          { label: "Login", value: made.login },
          { label: "Password", value: made.password },
        ]}
      >
        Keep the password where your program reads its secrets. The service knows only its hash.
      </ShownOnce>
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
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
      label="Acts as"
      description="The program has this member's role and wallets."
      required
      data={[
        { value: "", label: "Choose a member" },
        ...(members.data ?? []).map(({ id, attributes }) => ({
          value: id,
          label: attributes.name,
        })),
      ]}
    />
  );
}

/** The service refuses a list that leaves out the very address that asks, unless that is meant. */
function isAboutOwnAddress(error: React.ReactNode): boolean {
  return typeof error === "string" && error.includes("confirm");
}

function save(credential: Credential | null, { label, member, allowed_networks, confirm }: Values) {
  const networks = allowed_networks.split(/[\s,;]+/).filter((network) => network !== "");
  if (credential === null)
    return confirmed(() =>
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
