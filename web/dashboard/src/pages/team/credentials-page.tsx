import { Button, Group, Stack, Text } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { Credential } from "../../../../../client/src/api-types.gen.ts";
import { listSource } from "../../api/list-source.ts";
import { CodeText } from "../../components/code-text.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { createdColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { AdministratorsOnly } from "./administrators-only.tsx";
import { CredentialActions } from "./credential-actions.tsx";
import { CredentialDialog } from "./credential-dialog.tsx";
import { WebhookSecretSection } from "./webhook-secret-section.tsx";

const source = listSource("/credential/");

const filters: readonly FilterField[] = [
  {
    kind: "choice",
    name: "is_revoked",
    label: "State",
    choices: [
      { value: "false", label: "In use" },
      { value: "true", label: "Revoked" },
    ],
  },
];

/** The logins of programs, and the secret that callbacks are signed with. */
export function CredentialsPage() {
  const [isAdding, setIsAdding] = useState(false);
  const [editing, setEditing] = useState<Credential | null>(null);
  const columns = useMemo(() => columnsOf(setEditing), []);
  return (
    <AdministratorsOnly title="API credentials">
      <PageHeader
        title="API credentials"
        description="Programs sign in with these at /token/ and act as the member they belong to."
        actions={
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => {
              setIsAdding(true);
            }}
          >
            Make a credential
          </Button>
        }
      />
      <Stack gap="lg">
        <ResourceTable
          name="Credentials"
          source={source}
          columns={columns}
          filters={filters}
          empty={
            <EmptyList icon={IconKey} title="No program has a login yet">
              Make a credential for your shop's program, and keep its password there.
            </EmptyList>
          }
        />
        <WebhookSecretSection />
      </Stack>
      <CredentialDialog
        isOpen={isAdding || editing !== null}
        credential={editing}
        onClose={() => {
          setIsAdding(false);
          setEditing(null);
        }}
      />
    </AdministratorsOnly>
  );
}

function columnsOf(onEdit: (credential: Credential) => void): readonly TableColumn<Credential>[] {
  return [
    {
      id: "label",
      header: "Label",
      sort: "label",
      cell: ({ attributes: { label, member_name } }) => (
        <div>
          <Text fw={600}>{label === "" ? "Without a label" : label}</Text>
          <Text size="sm" c="dimmed">
            acts as {member_name}
          </Text>
        </div>
      ),
      csv: ({ attributes }) => attributes.label,
    },
    {
      id: "login",
      header: "Login",
      cell: ({ attributes }) => <CodeText value={attributes.login} label="the login" isShort />,
      csv: ({ attributes }) => attributes.login,
    },
    {
      id: "networks",
      header: "Allowed from",
      cell: ({ attributes: { allowed_networks: networks } }) =>
        networks.length === 0 ? (
          <StatusBadge tone="attention" label="Anywhere" />
        ) : (
          <span className="code-text">{networks.join(", ")}</span>
        ),
      csv: ({ attributes }) => attributes.allowed_networks.join(" "),
    },
    {
      id: "state",
      header: "State",
      cell: ({ attributes: { revoked_at, is_designated } }) => (
        <Group gap={6}>
          <StatusBadge
            tone={revoked_at === null ? "good" : "neutral"}
            label={revoked_at === null ? "In use" : "Revoked"}
          />
          {is_designated ? <StatusBadge tone="waiting" label="Signs for people" /> : null}
        </Group>
      ),
      csv: ({ attributes }) => (attributes.revoked_at === null ? "in use" : "revoked"),
    },
    { ...createdColumn, header: "Made" },
    {
      id: "actions",
      header: "Actions",
      align: "end",
      cell: (credential) => <CredentialActions credential={credential} onEdit={onEdit} />,
    },
  ];
}
