self.onfetch = () => {}
