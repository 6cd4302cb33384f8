/** Links to dashboard pages that look like Mantine's. */
import { Anchor, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type AnchorButtonProps = ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>;

const AnchorButton = (props: AnchorButtonProps) => <Button component="a" {...props} />;

export const LinkButton = createLink(AnchorButton);
export const TextLink = createLink(Anchor<'a'>);
