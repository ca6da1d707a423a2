import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { t } from "../language/t.ts";

const schemes = [
  { value: "auto", label: t("System"), current: t("Theme: system"), icon: IconDeviceDesktop },
  { value: "light", label: t("Light"), current: t("Theme: light"), icon: IconSun },
  { value: "dark", label: t("Dark"), current: t("Theme: dark"), icon: IconMoon },
] as const satisfies readonly {
  value: MantineColorScheme;
  label: string;
  current: string;
  icon: unknown;
}[];

/** The theme: light, dark or the system's; stored in this browser. */
export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = schemes.find(({ value }) => value === colorScheme) ?? schemes[0];
  const Icon = current.icon;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={current.current}>
          <Icon size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, icon: ItemIcon }) => (
          <Menu.Item
            key={value}
            leftSection={<ItemIcon size={16} />}
            rightSection={
              value === colorScheme ? <IconCheck size={16} aria-label={t("selected")} /> : null
            }
            onClick={() => {
              setColorScheme(value);
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
