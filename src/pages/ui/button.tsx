import type { ComponentProps } from 'react'

type Look = 'primary' | 'danger' | 'quiet'

/** Never submits a form unless `type` says so. */
export function Button({
  look,
  small,
  className = '',
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { look?: Look; small?: boolean }) {
  const classes = ['button', look && `button-${look}`, small && 'button-small', className]
  return <button type={type} className={classes.filter(Boolean).join(' ')} {...rest} />
}
