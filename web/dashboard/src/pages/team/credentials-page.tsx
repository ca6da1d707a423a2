import { Button, Group, Stack, Text } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { Credential } from "../../../../../client/src/api-types.gen.ts";
import { listSource } from "../../api/list-source.ts";
import { AdministratorsOnly } from "../../components/administrators-only.tsx";
import { CodeText } from "../../components/code-text.tsx";
import { EmptyList } from "../../components/empty-list.tsx";
import type { FilterField } from "../../components/filter-bar.tsx";
import { createdColumn } from "../../components/list-columns.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { ResourceTable, type TableColumn } from "../../components/resource-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useRole } from "../../components/use-role.ts";
import { t } from "../../language/t.ts";
import { CredentialActions } from "./credential-actions.tsx";
import { CredentialDialog } from "./credential-dialog.tsx";
import { WebhookSecretSection } from "./webhook-secret-section.tsx";

const source = listSource("/credential/");

const filters: readonly FilterField[] = [
  {
    kind: "choice",
    name: "is_revoked",
    label: t("Status"),
    choices: [
      { value: "false", label: t("Active") },
      { value: "true", label: t("Revoked") },
    ],
  },
];

/** API keys and the webhook secret. */
export function CredentialsPage() {
  const { mayAdministerAccount } = useRole();
  const [isAdding, setIsAdding] = useState(false);
  const [editing, setEditing] = useState<Credential | null>(null);
  const columns = useMemo(() => columnsOf(setEditing), []);
  return (
    <AdministratorsOnly title={t("API keys")}>
      <PageHeader
        title={t("API keys")}
        description={t("Keys for your programs. Each key acts as a team member.")}
        actions={
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => {
              setIsAdding(true);
            }}
          >
            {t("Create API key")}
          </Button>
        }
      />
      <Stack gap="lg">
        <ResourceTable
          name="API keys"
          source={source}
          columns={columns}
          filters={filters}
          empty={
            <EmptyList icon={IconKey} title={t("No API keys yet")}>
              {t("Create an API key to connect your store.")}
            </EmptyList>
          }
        />
        {mayAdministerAccount ? <WebhookSecretSection /> : null}
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
          <Text fw={600}>{label === "" ? t("Untitled") : label}</Text>
          <Text size="sm" c="dimmed">
            {t("Acts as {name}", { name: member_name })}
          </Text>
        </div>
      ),
      csv: ({ attributes }) => attributes.label,
    },
    {
      id: "login",
      header: "Login",
      cell: ({ attributes }) => <CodeText value={attributes.login} label="login" isShort />,
      csv: ({ attributes }) => attributes.login,
    },
    {
      id: "networks",
      header: "IP allowlist",
      cell: ({ attributes: { allowed_networks: networks } }) =>
        networks.length === 0 ? (
          <StatusBadge tone="attention" label={t("Any address")} />
        ) : (
          <span className="code-text">{networks.join(", ")}</span>
        ),
      csv: ({ attributes }) => attributes.allowed_networks.join(" "),
    },
    {
      id: "state",
      header: "Status",
      cell: ({ attributes: { revoked_at, is_designated } }) => (
        <Group gap={6}>
          <StatusBadge
            tone={revoked_at === null ? "good" : "neutral"}
            label={revoked_at === null ? t("Active") : t("Revoked")}
          />
          {is_designated ? <StatusBadge tone="waiting" label={t("Default signing key")} /> : null}
        </Group>
      ),
      csv: ({ attributes }) => (attributes.revoked_at === null ? "active" : "revoked"),
    },
    createdColumn,
    {
      id: "actions",
      header: "Actions",
      align: "end",
      cell: (credential) => <CredentialActions credential={credential} onEdit={onEdit} />,
    },
  ];
}
